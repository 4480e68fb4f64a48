// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

/** Answers of the passive side to a request. */
public enum CmAnswer {
  ACCEPT,
  REJECT,
  /** Destroys the id without an answer. */
  DESTROY
}

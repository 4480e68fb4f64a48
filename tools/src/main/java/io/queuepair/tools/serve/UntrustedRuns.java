// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

/** Runs scenarios of untrusted authors. */
@FunctionalInterface
interface UntrustedRuns {
  /** Runs a scenario within limits; returns for any text. */
  RunAnswer run(String text);
}

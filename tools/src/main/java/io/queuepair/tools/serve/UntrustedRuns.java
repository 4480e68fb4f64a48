// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

/** Runs scenarios whose authors are not trusted. */
@FunctionalInterface
interface UntrustedRuns {
  /** Runs a scenario, within limits; whatever the text is, this returns. */
  RunAnswer run(String text);
}

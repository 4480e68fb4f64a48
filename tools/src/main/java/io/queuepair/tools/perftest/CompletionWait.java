// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** Waiting for completions, or for what else may come, with a limit. */
interface CompletionWait {
  /** Something has come. */
  void renew();

  /**
   * Waits a little; the caller looks again then.
   *
   * @throws io.queuepair.tools.cli.CommandFailure if nothing has come for too long
   */
  void pause(String what);
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.WorkCompletion;

/** Takes what a completion queue has, and ends the run at the first failure. */
final class CompletionPoller {
  private static final int BATCH = 16;

  private final CompletionQueue cq;
  private final String what;
  private final WorkCompletion[] taken = new WorkCompletion[BATCH];

  /**
   * Watches a queue.
   *
   * @param what sends or receives, for the words of a failure
   */
  CompletionPoller(CompletionQueue cq, String what) {
    this.cq = cq;
    this.what = what;
  }

  /** How many there were; {@link #wrId} has them. */
  int poll() {
    int count = cq.poll(taken);
    for (int i = 0; i < count; i++) {
      if (!taken[i].isSuccess()) {
        throw failure(taken[i]);
      }
    }
    return count;
  }

  WorkCompletion completion(int i) {
    return taken[i];
  }

  long wrId(int i) {
    return taken[i].wrId();
  }

  private CommandFailure failure(WorkCompletion failed) {
    return new CommandFailure(
        "Completion with error of a "
            + what
            + ": "
            + failed.status().text()
            + " ("
            + failed.status().code()
            + "): "
            + failed.explain());
  }
}

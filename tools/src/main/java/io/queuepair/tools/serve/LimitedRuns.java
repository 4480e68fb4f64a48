// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.util.concurrent.Semaphore;

/** Limits the number of simultaneous runs, and refuses further ones. */
final class LimitedRuns implements UntrustedRuns {
  private final UntrustedRuns runs;
  private final int mostAtOnce;
  private final Semaphore free;

  LimitedRuns(UntrustedRuns runs, int mostAtOnce) {
    this.runs = runs;
    this.mostAtOnce = mostAtOnce;
    free = new Semaphore(mostAtOnce);
  }

  @Override
  public RunAnswer run(String text) {
    if (!free.tryAcquire()) {
      return RunAnswer.failed(mostAtOnce + " scenarios are being run already; try again");
    }
    try {
      return runs.run(text);
    } finally {
      free.release();
    }
  }
}

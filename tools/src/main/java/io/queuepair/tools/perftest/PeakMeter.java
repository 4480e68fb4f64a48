// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** Finds the best stretch of a run: from one post to one completion, with all messages between. */
final class PeakMeter {
  /** Each pair is looked at, so there is a limit. */
  private static final int MOST = 4096;

  private final long[] postedBefore = new long[MOST];
  private final long[] postedNanos = new long[MOST];
  private final long[] completed = new long[MOST];
  private final long[] completedNanos = new long[MOST];
  private int posts;
  private int completions;

  /** Notes that messages are about to be posted. */
  void post(long totalBefore, long nowNanos) {
    if (posts < MOST) {
      postedBefore[posts] = totalBefore;
      postedNanos[posts] = nowNanos;
      posts++;
    }
  }

  /** Notes that messages are done. */
  void complete(long total, long nowNanos) {
    if (completions < MOST) {
      completed[completions] = total;
      completedNanos[completions] = nowNanos;
      completions++;
    }
  }

  /** Messages per second of the best stretch. */
  double perSecond() {
    double best = 0;
    for (int post = 0; post < posts; post++) {
      for (int end = 0; end < completions; end++) {
        long nanos = completedNanos[end] - postedNanos[post];
        if (nanos > 0 && completed[end] > postedBefore[post]) {
          best = Math.max(best, (completed[end] - postedBefore[post]) * 1e9 / nanos);
        }
      }
    }
    return best;
  }
}

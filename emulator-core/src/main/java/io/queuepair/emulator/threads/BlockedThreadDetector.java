// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the thread which has the turn is blocked outside the emulator. It checks repeatedly,
 * as a thread may also be delayed by things such as class loading.
 */
final class BlockedThreadDetector {
  /** Description of a thread that runs for long, but does not wait. */
  static final String BUSY = "has run for 10 s without calling a verb";

  private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LATER_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long INPUT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MIN_LOOKS = 3;

  private long turn = -1;
  private long turnNanos;
  private Thread.@Nullable State state;
  private StackTraceElement[] stack = {};
  private long stackNanos;
  private int looks;

  /**
   * Checks a thread.
   *
   * @param turnNow number of the current turn; a new turn restarts the observation
   * @param isInVerb whether the thread runs code of the emulator
   * @param isPrompt whether to decide early: a thread is outside already, so a mistake costs no
   *     determinism
   * @return how the thread is blocked, as a predicate; null if it is not, or not long enough to be
   *     sure
   */
  synchronized @Nullable String look(
      Thread thread, long turnNow, boolean isInVerb, boolean isPrompt) {
    long nowNanos = System.nanoTime();
    if (turn != turnNow || isInVerb) {
      turn = turnNow;
      turnNanos = nowNanos;
      looks = 0;
      return null;
    }
    Thread.State now = thread.getState();
    if (now == Thread.State.TERMINATED) {
      return "has ended";
    }
    long busyNanos = nowNanos - turnNanos;
    if (now == Thread.State.RUNNABLE && busyNanos < INPUT_NANOS) {
      looks = 0;
      return null;
    }
    StackTraceElement[] stackNow = thread.getStackTrace();
    if (looks == 0 || now != state || !Arrays.equals(stack, stackNow)) {
      state = now;
      stack = stackNow;
      stackNanos = nowNanos;
      looks = 0;
    }
    looks++;
    return judge(nowNanos - stackNanos, busyNanos, isPrompt ? LATER_NANOS : FIRST_NANOS);
  }

  private @Nullable String judge(long sameNanos, long busyNanos, long limitNanos) {
    boolean isSure = looks >= MIN_LOOKS;
    if (state != Thread.State.RUNNABLE) {
      return isSure && sameNanos >= limitNanos ? "is " + state : null;
    }
    if (isSure && sameNanos >= INPUT_NANOS && isInput(stack)) {
      return "waits for input or output";
    }
    return busyNanos >= BUSY_NANOS ? BUSY : null;
  }

  private static boolean isInput(StackTraceElement[] frames) {
    return frames.length > 0
        && frames[0].isNativeMethod()
        && (frames[0].getClassName().startsWith("java.io.")
            || frames[0].getClassName().startsWith("java.net.")
            || frames[0].getClassName().startsWith("sun.nio."));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the thread which has the turn is blocked outside of the emulator. It looks
 * repeatedly, as a thread may also be delayed by things such as class loading.
 */
final class BlockedThreadDetector {
  /** Description of a thread that does not wait at all. */
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
   * Looks at a thread.
   *
   * @param turnNow changes whenever the turn changes hands
   * @param isInVerb whether it is at work in the emulator itself
   * @param isPrompt whether a mistake would cost nothing any more
   * @return how it is blocked, as a predicate; null if it is not, or not for long
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

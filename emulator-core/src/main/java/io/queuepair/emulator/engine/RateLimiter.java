// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

/** Leaky bucket that delays the frames of a queue pair to keep its rate limit. */
final class RateLimiter {
  /** Nanoseconds per bit at 1 kbit/s. */
  private static final long BIT_NANOS = 1_000_000;

  private final QpAttributes attributes;

  /** Time at which all sent bytes would have left at the rate limit. */
  private long clearNanos;

  private boolean isStarted;
  private boolean isHolding;

  RateLimiter(QpAttributes attributes) {
    this.attributes = attributes;
  }

  void stop() {
    isStarted = false;
    isHolding = false;
  }

  boolean holds(long nowNanos) {
    isHolding =
        isStarted && attributes.rateLimit() != 0 && clearNanos - burstNanos() - nowNanos > 0;
    return isHolding;
  }

  void sent(long bytes, long nowNanos) {
    if (!isStarted || clearNanos - nowNanos < 0) {
      clearNanos = nowNanos;
      isStarted = true;
    }
    clearNanos += nanosOf(bytes);
  }

  private long burstNanos() {
    return nanosOf(attributes.maxBurstBytes());
  }

  private long nanosOf(long bytes) {
    int rate = attributes.rateLimit();
    return rate == 0 ? 0 : bytes * Byte.SIZE * BIT_NANOS / rate;
  }

  /** Whether a frame waits for its time. */
  boolean isHolding() {
    return isHolding;
  }

  /** Time at which the waiting frame may leave; only if {@link #isHolding}. */
  long deadlineNanos() {
    return clearNanos - burstNanos();
  }

  /** Ends the wait of the frame if its time has come. */
  void expire(long nowNanos) {
    isHolding = isHolding && holds(nowNanos);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

/** When the next frame of a queue pair may go, so that it keeps to its rate: a leaky bucket. */
final class RateLimiter {
  /** Nanoseconds for a bit at 1 kbit/s. */
  private static final long BIT_NANOS = 1_000_000;

  private final QpAttributes attributes;

  /** When everything that has gone would have gone at the rate. */
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

  /** Whether the next frame has to wait. */
  boolean holds(long nowNanos) {
    isHolding =
        isStarted && attributes.rateLimit() != 0 && clearNanos - burstNanos() - nowNanos > 0;
    return isHolding;
  }

  /** Bytes have gone. */
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

  /** Whether a frame waits. */
  boolean isHolding() {
    return isHolding;
  }

  /** When it may go; only if {@link #isHolding}. */
  long deadlineNanos() {
    return clearNanos - burstNanos();
  }

  /** Lets it go if it may. */
  void expire(long nowNanos) {
    isHolding = isHolding && holds(nowNanos);
  }
}

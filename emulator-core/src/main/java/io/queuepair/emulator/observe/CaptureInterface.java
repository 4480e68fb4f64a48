// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

/**
 * An interface that a pcapng file describes.
 *
 * @param linkType LINKTYPE number of its frames
 * @param snapBytes snap length: most bytes captured of a frame; 0 for no limit
 * @param unitsPerSecond units of its timestamps in a second
 * @param offsetSeconds offset added to its timestamps
 */
record CaptureInterface(int linkType, long snapBytes, long unitsPerSecond, long offsetSeconds) {
  static final long MICROSECONDS = 1_000_000;

  private static final int BINARY = 0x80;
  private static final int MOST_DIGITS = 18;
  private static final int MOST_BITS = 62;

  /** Units in a second of the option {@code if_tsresol}; 0 if they are too fine. */
  static long unitsPerSecond(int resolution) {
    int exponent = resolution & ~BINARY;
    if ((resolution & BINARY) != 0) {
      return exponent > MOST_BITS ? 0 : 1L << exponent;
    }
    long units = exponent > MOST_DIGITS ? 0 : 1;
    for (int i = 0; i < exponent && units != 0; i++) {
      units *= 10;
    }
    return units;
  }

  /** Nanoseconds since 1970 of a timestamp, which is unsigned. */
  long epochNanos(long timestamp) {
    long seconds = Long.divideUnsigned(timestamp, unitsPerSecond) + offsetSeconds;
    double rest = Long.remainderUnsigned(timestamp, unitsPerSecond);
    long nanos = Math.round(rest * CapturedFrame.NANOS_PER_SECOND / unitsPerSecond);
    return seconds * CapturedFrame.NANOS_PER_SECOND + nanos;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One frame of a capture file.
 *
 * @param epochNanos when it was captured, nanoseconds since 1970
 * @param linkType what it begins with, by number (the LINKTYPE registry of tcpdump.org)
 * @param bytes those captured, big-endian, from index 0 to the limit; lent until the next frame
 * @param comments what the file says about it
 */
record CapturedFrame(long epochNanos, int linkType, ByteBuffer bytes, List<String> comments) {
  /** More than any program captures of one frame. */
  static final int MAX_BYTES = 262_144;

  static final long NANOS_PER_SECOND = 1_000_000_000;
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One frame of a capture file.
 *
 * @param epochNanos when it was captured, nanoseconds since 1970
 * @param linkType LINKTYPE number of its first header (registry of tcpdump.org)
 * @param bytes captured bytes, big-endian, from index 0 to the limit; valid until the next frame
 * @param comments comments of the file on the frame
 */
record CapturedFrame(long epochNanos, int linkType, ByteBuffer bytes, List<String> comments) {
  /** Most bytes of a frame that are read; no program captures more. */
  static final int MAX_BYTES = 262_144;

  static final long NANOS_PER_SECOND = 1_000_000_000;
}

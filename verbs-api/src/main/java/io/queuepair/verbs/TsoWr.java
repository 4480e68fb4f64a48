// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A SEND that the device cuts into segments, each with the same header in front, for queue pairs of
 * type RAW_PACKET and UD. In a header of IPv4 or IPv6 with TCP or UDP, lengths, identification,
 * sequence number, flags and checksums become those of the segment; any other is repeated as it is.
 * Each segment is a frame (RAW_PACKET) or a message (UD) of its own; the request completes once,
 * with the bytes of its data.
 *
 * @param wrId returned in the completion
 * @param sgList the data after the header, 0 to {@link TsoCaps#maxTso} bytes
 * @param flags the flags; INLINE is not among them, and IP_CSUM changes nothing
 * @param hdr the header, from the buffer's position to its limit; read when the request is posted.
 *     Of RAW_PACKET it starts with that of Ethernet, of UD with the four bytes of IP over
 *     InfiniBand (RFC 4391)
 * @param mss most bytes of data in one segment, 1 to 65535, that fit the MTU behind the header
 */
public record TsoWr(long wrId, List<Sge> sgList, Set<SendFlag> flags, ByteBuffer hdr, int mss)
    implements SendWr {
  /**
   * Copies the list and the flags.
   *
   * @param wrId returned in the completion
   * @param sgList the data after the header, 0 to {@link TsoCaps#maxTso} bytes
   * @param flags the flags; INLINE is not among them, and IP_CSUM changes nothing
   * @param hdr the header, from the buffer's position to its limit; read when the request is
   *     posted. Of RAW_PACKET it starts with that of Ethernet, of UD with the four bytes of IP over
   *     InfiniBand (RFC 4391)
   * @param mss most bytes of data in one segment, 1 to 65535, that fit the MTU behind the header
   */
  public TsoWr {
    sgList = Sge.copyOf(sgList, "sgList");
    flags = FlagSet.copyOf(flags, "flags");
    Objects.requireNonNull(hdr, "hdr");
  }

  @Override
  public WrOpcode opcode() {
    return WrOpcode.TSO;
  }

  @Override
  public TsoWr withFlags(SendFlag... newFlags) {
    return new TsoWr(wrId, sgList, FlagSet.of("newFlags", newFlags), hdr, mss);
  }
}

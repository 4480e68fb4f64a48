// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import org.jspecify.annotations.Nullable;

/** Headers that applications put in front of an IP packet, by which the device finds it. */
public enum Encapsulation {
  /** An Ethernet header, possibly with a VLAN tag. */
  ETHERNET {
    @Override
    public @Nullable IpPacket packetIn(Payload bytes) {
      return bytes.length() < Ethernet.HEADER_BYTES ? null : new RawFrame(bytes).ip();
    }
  },

  /** The EtherType and two reserved bytes of IP over InfiniBand (RFC 4391, section 6). */
  IPOIB {
    @Override
    public @Nullable IpPacket packetIn(Payload bytes) {
      if (bytes.length() < IPOIB_BYTES) {
        return null;
      }
      int type = Short.toUnsignedInt(bytes.buffer().getShort(bytes.offset()));
      return IpPacket.of(type, bytes, IPOIB_BYTES);
    }
  };

  private static final int IPOIB_BYTES = 4;

  /** The packet that a frame or a message holds, or null if there is none. */
  public abstract @Nullable IpPacket packetIn(Payload bytes);
}

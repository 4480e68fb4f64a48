// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import org.jspecify.annotations.Nullable;

/** Headers that applications put before an IP packet, by which the device finds the packet. */
public enum Encapsulation {
  /** Ethernet header, possibly with a VLAN tag. */
  ETHERNET {
    @Override
    public @Nullable IpPacket packetIn(Payload payload) {
      return payload.length() < Ethernet.HEADER_BYTES ? null : new RawFrame(payload).ip();
    }
  },

  /** EtherType and two reserved bytes of IP over InfiniBand (RFC 4391, section 6). */
  IPOIB {
    @Override
    public @Nullable IpPacket packetIn(Payload payload) {
      if (payload.length() < IPOIB_BYTES) {
        return null;
      }
      int type = Short.toUnsignedInt(payload.buffer().getShort(payload.offset()));
      return IpPacket.of(type, payload, IPOIB_BYTES);
    }
  };

  private static final int IPOIB_BYTES = 4;

  /** IP packet in a frame or a message; null if there is none. */
  public abstract @Nullable IpPacket packetIn(Payload payload);
}

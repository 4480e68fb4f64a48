// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * Hash of Microsoft's Receive Side Scaling. For each bit set in the input, the 32 bits of the key
 * that begin at the position of that bit are combined by exclusive or.
 */
public final class ToeplitzHash {
  /** Length of the key: that of two IPv6 addresses and two ports, and 32 bits. */
  public static final int KEY_BYTES = 40;

  private static final int MAX_INPUT_BYTES = 36;

  private final ByteBuffer key;
  private final Set<RxHashField> fields;

  public ToeplitzHash(RxHashConf conf) {
    key = conf.key();
    fields = conf.fields();
    assert key.limit() == KEY_BYTES : key;
  }

  /** Hash of the fields that a packet has; 0 if it has none of them. */
  public int of(IpPacket ip) {
    ByteBuffer input = ByteBuffer.allocate(MAX_INPUT_BYTES);
    if (ip.isIpv4()) {
      putIpv4(ip, input);
    } else {
      putIpv6(ip, input);
    }
    if (ip.isTcp()) {
      putPorts(ip, RxHashField.SRC_PORT_TCP, RxHashField.DST_PORT_TCP, input);
    } else if (ip.isUdp()) {
      putPorts(ip, RxHashField.SRC_PORT_UDP, RxHashField.DST_PORT_UDP, input);
    }
    return hash(input.flip());
  }

  private void putIpv4(IpPacket ip, ByteBuffer input) {
    if (fields.contains(RxHashField.SRC_IPV4)) {
      input.putInt(ip.ipv4Source());
    }
    if (fields.contains(RxHashField.DST_IPV4)) {
      input.putInt(ip.ipv4Destination());
    }
  }

  private void putIpv6(IpPacket ip, ByteBuffer input) {
    if (fields.contains(RxHashField.SRC_IPV6)) {
      put(ip.ipv6Source(), input);
    }
    if (fields.contains(RxHashField.DST_IPV6)) {
      put(ip.ipv6Destination(), input);
    }
  }

  private static void put(Gid gid, ByteBuffer input) {
    input.putLong(gid.subnetPrefix()).putLong(gid.interfaceId());
  }

  private void putPorts(
      IpPacket ip, RxHashField sourceField, RxHashField destField, ByteBuffer input) {
    if (fields.contains(sourceField)) {
      input.putShort((short) ip.sourcePort());
    }
    if (fields.contains(destField)) {
      input.putShort((short) ip.destinationPort());
    }
  }

  private int hash(ByteBuffer input) {
    int hash = 0;
    for (int at = 0; at < input.limit(); at++) {
      // 32 bits of the key from this byte on, and the byte after them.
      long window = Integer.toUnsignedLong(key.getInt(at)) << Byte.SIZE;
      window |= Byte.toUnsignedInt(key.get(at + Integer.BYTES));
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        if ((input.get(at) & 0x80 >> bit) != 0) {
          hash ^= (int) (window >>> (Byte.SIZE - bit));
        }
      }
    }
    return hash;
  }
}

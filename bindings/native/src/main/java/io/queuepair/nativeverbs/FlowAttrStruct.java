// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code struct ibv_flow_attr} and the flow specifications after it. Header fields are in network
 * order.
 */
final class FlowAttrStruct {
  private static final int TYPE = 4;
  private static final int PRIORITY = 10;
  private static final int NUM_OF_SPECS = 12;
  private static final int PORT = 13;
  private static final int FLAGS = 16;
  private static final int SIZE = 20;

  private static final int SPEC_SIZE = 4;
  private static final int SPEC_HEADER = 6;
  private static final int ETH = 0x20;
  private static final int IPV4 = 0x30;
  private static final int IPV6 = 0x31;
  private static final int IPV4_EXT = 0x32;
  private static final int TCP = 0x40;
  private static final int UDP = 0x41;

  private static final int ETH_BYTES = 16;
  private static final int IPV4_BYTES = 8;
  private static final int IPV4_EXT_BYTES = 12;
  private static final int IPV6_BYTES = 40;
  private static final int PORTS_BYTES = 4;

  private FlowAttrStruct() {}

  static FlowAttr read(ByteBuffer args, int at) {
    if (args.getInt(at) != 0) {
      throw CValues.refused("comp_mask " + Integer.toHexString(args.getInt(at)));
    }
    List<FlowSpec> specs = new ArrayList<>();
    int next = at + SIZE;
    for (int i = 0; i < Byte.toUnsignedInt(args.get(at + NUM_OF_SPECS)); i++) {
      int room = args.capacity() - next;
      int bytes = room < SPEC_HEADER ? 0 : Short.toUnsignedInt(args.getShort(next + SPEC_SIZE));
      if (bytes < SPEC_HEADER || bytes > room) {
        throw CValues.refused("a specification has " + bytes + " bytes");
      }
      specs.add(spec(args, next, bytes));
      next += bytes;
    }
    return new FlowAttr(
        CValues.one("type", FlowAttrType.class, args.getInt(at + TYPE)),
        Short.toUnsignedInt(args.getShort(at + PRIORITY)),
        Byte.toUnsignedInt(args.get(at + PORT)),
        CValues.flags(FlowFlag.class, Integer.toUnsignedLong(args.getInt(at + FLAGS))),
        specs);
  }

  private static FlowSpec spec(ByteBuffer args, int at, int bytes) {
    int type = args.getInt(at);
    return switch (type) {
      case ETH -> {
        int val = values(at, 6, ETH_BYTES, bytes);
        yield new FlowSpec.Eth(eth(args, val), eth(args, val + ETH_BYTES));
      }
      case IPV4 -> {
        int val = values(at, 8, IPV4_BYTES, bytes);
        yield new FlowSpec.Ipv4(ipv4(args, val), ipv4(args, val + IPV4_BYTES));
      }
      case IPV4_EXT -> {
        int val = values(at, 8, IPV4_EXT_BYTES, bytes);
        yield new FlowSpec.Ipv4Ext(ipv4Ext(args, val), ipv4Ext(args, val + IPV4_EXT_BYTES));
      }
      case IPV6 -> {
        int val = values(at, 8, IPV6_BYTES, bytes);
        yield new FlowSpec.Ipv6(ipv6(args, val), ipv6(args, val + IPV6_BYTES));
      }
      case TCP -> {
        int val = values(at, 6, PORTS_BYTES, bytes);
        yield new FlowSpec.Tcp(ports(args, val), ports(args, val + PORTS_BYTES));
      }
      case UDP -> {
        int val = values(at, 6, PORTS_BYTES, bytes);
        yield new FlowSpec.Udp(ports(args, val), ports(args, val + PORTS_BYTES));
      }
      default ->
          throw new VerbsException(
              Errno.EOPNOTSUPP,
              "ibv_create_flow",
              "a specification of type 0x" + Integer.toHexString(type) + " is not offered");
    };
  }

  /** Offset of the filter values; EINVAL if there is no room for them and their mask. */
  private static int values(int at, int offset, int filterBytes, int bytes) {
    if (bytes < offset + 2 * filterBytes) {
      throw CValues.refused(
          "a specification has " + bytes + " bytes, not " + (offset + 2 * filterBytes));
    }
    return at + offset;
  }

  private static int byteAt(ByteBuffer args, int at) {
    return Byte.toUnsignedInt(args.get(at));
  }

  /** Unsigned 16 bits in network order. */
  private static int shortAt(ByteBuffer args, int at) {
    return byteAt(args, at) << 8 | byteAt(args, at + 1);
  }

  private static int intAt(ByteBuffer args, int at) {
    return shortAt(args, at) << 16 | shortAt(args, at + 2);
  }

  private static MacAddress mac(ByteBuffer args, int at) {
    long upper = Integer.toUnsignedLong(intAt(args, at));
    return new MacAddress(upper << 16 | shortAt(args, at + 4));
  }

  private static FlowSpec.EthFilter eth(ByteBuffer args, int at) {
    return new FlowSpec.EthFilter(
        mac(args, at), mac(args, at + 6), shortAt(args, at + 12), shortAt(args, at + 14));
  }

  private static FlowSpec.Ipv4Filter ipv4(ByteBuffer args, int at) {
    return new FlowSpec.Ipv4Filter(intAt(args, at), intAt(args, at + 4));
  }

  private static FlowSpec.Ipv4ExtFilter ipv4Ext(ByteBuffer args, int at) {
    return new FlowSpec.Ipv4ExtFilter(
        intAt(args, at),
        intAt(args, at + 4),
        byteAt(args, at + 8),
        byteAt(args, at + 9),
        byteAt(args, at + 10),
        byteAt(args, at + 11));
  }

  private static FlowSpec.Ipv6Filter ipv6(ByteBuffer args, int at) {
    return new FlowSpec.Ipv6Filter(
        GidStruct.get(args, at),
        GidStruct.get(args, at + 16),
        intAt(args, at + 32),
        byteAt(args, at + 36),
        byteAt(args, at + 37),
        byteAt(args, at + 38));
  }

  private static FlowSpec.TcpUdpFilter ports(ByteBuffer args, int at) {
    return new FlowSpec.TcpUdpFilter(shortAt(args, at), shortAt(args, at + 2));
  }
}

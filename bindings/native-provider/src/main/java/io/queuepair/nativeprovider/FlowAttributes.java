// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;

/**
 * Writes {@code struct ibv_flow_attr} and the specifications that follow it. Fields of headers are
 * big-endian, those of the structure have the order of the processor.
 */
final class FlowAttributes {
  static final String VERB = "ibv_create_flow";

  private static final String ATTR = "ibv_flow_attr";
  private static final int TYPE = VerbsAbi.offset("ibv_flow_attr.type");
  private static final int SIZE = VerbsAbi.offset("ibv_flow_attr.size");
  private static final int PRIORITY = VerbsAbi.offset("ibv_flow_attr.priority");
  private static final int NUM_OF_SPECS = VerbsAbi.offset("ibv_flow_attr.num_of_specs");
  private static final int PORT = VerbsAbi.offset("ibv_flow_attr.port");
  private static final int FLAGS = VerbsAbi.offset("ibv_flow_attr.flags");

  private static final int MOST_SPECS = 0xff;
  private static final int MOST_BYTES = 0xffff;
  private static final int MAC_BYTES = 6;

  private FlowAttributes() {}

  /**
   * Writes them to new memory.
   *
   * @return where they are
   * @throws VerbsException EINVAL for a number that the structure has no room for
   */
  static long write(Arena arena, FlowAttr attr) {
    int bytes = VerbsAbi.size(ATTR);
    for (FlowSpec spec : attr.specs()) {
      bytes += VerbsAbi.size(structOf(spec));
    }
    boolean hasPriority = attr.priority() >= 0 && attr.priority() <= MOST_BYTES;
    if (!hasPriority || attr.specs().size() > MOST_SPECS || bytes > MOST_BYTES) {
      throw new VerbsException(
          Errno.EINVAL,
          VERB,
          "priority " + attr.priority() + ", " + attr.specs().size() + " specifications");
    }
    long at = RawMemory.allocate(arena, bytes);
    RawMemory.putInt(at + TYPE, attr.type().code());
    RawMemory.putShort(at + SIZE, bytes);
    RawMemory.putShort(at + PRIORITY, attr.priority());
    RawMemory.putByte(at + NUM_OF_SPECS, attr.specs().size());
    RawMemory.putByte(at + PORT, NativeContext.port(attr.portNum(), VERB));
    RawMemory.putInt(at + FLAGS, VerbsConstant.mask(attr.flags()));
    long next = at + VerbsAbi.size(ATTR);
    for (FlowSpec spec : attr.specs()) {
      write(next, spec);
      next += VerbsAbi.size(structOf(spec));
    }
    return at;
  }

  private static String structOf(FlowSpec spec) {
    return switch (spec) {
      case FlowSpec.Eth eth -> "ibv_flow_spec_eth";
      case FlowSpec.Ipv4 ipv4 -> "ibv_flow_spec_ipv4";
      case FlowSpec.Ipv4Ext ext -> "ibv_flow_spec_ipv4_ext";
      case FlowSpec.Ipv6 ipv6 -> "ibv_flow_spec_ipv6";
      case FlowSpec.Tcp tcp -> "ibv_flow_spec_tcp_udp";
      case FlowSpec.Udp udp -> "ibv_flow_spec_tcp_udp";
    };
  }

  /** Type in {@code enum ibv_flow_spec_type}. */
  private static int typeOf(FlowSpec spec) {
    return switch (spec) {
      case FlowSpec.Eth eth -> 0x20;
      case FlowSpec.Ipv4 ipv4 -> 0x30;
      case FlowSpec.Ipv6 ipv6 -> 0x31;
      case FlowSpec.Ipv4Ext ext -> 0x32;
      case FlowSpec.Tcp tcp -> 0x40;
      case FlowSpec.Udp udp -> 0x41;
    };
  }

  private static void write(long at, FlowSpec spec) {
    String struct = structOf(spec);
    RawMemory.putInt(at, typeOf(spec));
    RawMemory.putShort(at + VerbsAbi.offset(struct + ".size"), VerbsAbi.size(struct));
    long val = at + VerbsAbi.offset(struct + ".val");
    long mask = at + VerbsAbi.offset(struct + ".mask");
    switch (spec) {
      case FlowSpec.Eth eth -> {
        write(val, eth.val());
        write(mask, eth.mask());
      }
      case FlowSpec.Ipv4 ipv4 -> {
        write(val, ipv4.val());
        write(mask, ipv4.mask());
      }
      case FlowSpec.Ipv4Ext ext -> {
        write(val, ext.val());
        write(mask, ext.mask());
      }
      case FlowSpec.Ipv6 ipv6 -> {
        write(val, ipv6.val());
        write(mask, ipv6.mask());
      }
      case FlowSpec.Tcp tcp -> {
        write(val, tcp.val());
        write(mask, tcp.mask());
      }
      case FlowSpec.Udp udp -> {
        write(val, udp.val());
        write(mask, udp.mask());
      }
    }
  }

  private static void write(long at, FlowSpec.EthFilter filter) {
    put(at, filter.dstMac().bits(), MAC_BYTES);
    put(at + 6, filter.srcMac().bits(), MAC_BYTES);
    put(at + 12, filter.etherType(), Short.BYTES);
    put(at + 14, filter.vlanTag(), Short.BYTES);
  }

  private static void write(long at, FlowSpec.Ipv4Filter filter) {
    put(at, filter.srcIp(), Integer.BYTES);
    put(at + 4, filter.dstIp(), Integer.BYTES);
  }

  private static void write(long at, FlowSpec.Ipv4ExtFilter filter) {
    put(at, filter.srcIp(), Integer.BYTES);
    put(at + 4, filter.dstIp(), Integer.BYTES);
    RawMemory.putByte(at + 8, filter.proto());
    RawMemory.putByte(at + 9, filter.tos());
    RawMemory.putByte(at + 10, filter.ttl());
    RawMemory.putByte(at + 11, filter.flags());
  }

  private static void write(long at, FlowSpec.Ipv6Filter filter) {
    Gids.write(at, filter.srcIp());
    Gids.write(at + Gids.GID_BYTES, filter.dstIp());
    put(at + 32, filter.flowLabel(), Integer.BYTES);
    RawMemory.putByte(at + 36, filter.nextHdr());
    RawMemory.putByte(at + 37, filter.trafficClass());
    RawMemory.putByte(at + 38, filter.hopLimit());
  }

  private static void write(long at, FlowSpec.TcpUdpFilter filter) {
    put(at, filter.dstPort(), Short.BYTES);
    put(at + 2, filter.srcPort(), Short.BYTES);
  }

  /** Writes the last bytes of a number in network order. */
  private static void put(long at, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      RawMemory.putByte(at + i, (int) (value >>> (Byte.SIZE * (bytes - 1 - i))));
    }
  }
}

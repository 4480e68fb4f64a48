// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.FlowSpec.EthFilter;
import io.queuepair.verbs.FlowSpec.Ipv4ExtFilter;
import io.queuepair.verbs.FlowSpec.Ipv4Filter;
import io.queuepair.verbs.FlowSpec.Ipv6Filter;
import io.queuepair.verbs.FlowSpec.TcpUdpFilter;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Flows are read where the table of the ABI says that their fields are. */
final class FlowAttrStructTest {
  private static final int AT = 64;
  private static final int SPEC = AT + 20;
  private static final Gid SOURCE = new Gid(1, 2);
  private static final Gid DESTINATION = new Gid(3, 4);

  private final AbiLayout abi = new AbiLayout();
  private final ByteBuffer memory = ByteBuffer.allocate(1024).order(ByteOrder.nativeOrder());

  private int attr(String field) {
    return AT + abi.offset("ibv_flow_attr", field);
  }

  /** Begins the only specification. */
  private void begin(String structure, int type, int size) {
    memory.put(attr("num_of_specs"), (byte) 1);
    memory.put(attr("port"), (byte) 1);
    memory.putInt(SPEC + abi.offset(structure, "type"), type);
    memory.putShort(SPEC + abi.offset(structure, "size"), (short) size);
  }

  /** Fills in a value and its mask, which are alike. */
  private void fill(String structure, IntConsumer filter) {
    filter.accept(SPEC + abi.offset(structure, "val"));
    filter.accept(SPEC + abi.offset(structure, "mask"));
  }

  private FlowSpec readOne() {
    FlowAttr read = FlowAttrStruct.read(memory, AT);
    assertThat(read.specs()).hasSize(1);
    return read.specs().get(0);
  }

  private void network(int at, long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      memory.put(at + i, (byte) (value >>> (8 * (bytes - 1 - i))));
    }
  }

  @Test
  void readsAttributes() {
    memory.putInt(attr("type"), FlowAttrType.SNIFFER.code());
    memory.putShort(attr("priority"), (short) 0xfffe);
    memory.put(attr("port"), (byte) 200);
    memory.putInt(attr("flags"), FlowFlag.DONT_TRAP.code());

    FlowAttr read = FlowAttrStruct.read(memory, AT);

    assertThat(read)
        .isEqualTo(
            FlowAttr.of(FlowAttrType.SNIFFER)
                .withPriority(0xfffe)
                .withPort(200)
                .withFlags(FlowFlag.DONT_TRAP));
  }

  @Test
  void readsEthernet() {
    begin("ibv_flow_spec_eth", 0x20, 40);
    String filter = "ibv_flow_eth_filter";
    fill(
        "ibv_flow_spec_eth",
        at -> {
          network(at + abi.offset(filter, "dst_mac"), 0x0102_0304_0506L, 6);
          network(at + abi.offset(filter, "src_mac"), 0xf1f2_f3f4_f5f6L, 6);
          network(at + abi.offset(filter, "ether_type"), 0x88b5, 2);
          network(at + abi.offset(filter, "vlan_tag"), 0x6005, 2);
        });

    EthFilter expected =
        new EthFilter(
            new MacAddress(0x0102_0304_0506L), new MacAddress(0xf1f2_f3f4_f5f6L), 0x88b5, 0x6005);
    assertThat(readOne()).isEqualTo(new FlowSpec.Eth(expected, expected));
  }

  @Test
  void readsIpv4() {
    begin("ibv_flow_spec_ipv4", 0x30, 24);
    fill("ibv_flow_spec_ipv4", at -> addresses("ibv_flow_ipv4_filter", at));

    Ipv4Filter expected = new Ipv4Filter(0x0a000001, 0xc0a80102);
    assertThat(readOne()).isEqualTo(new FlowSpec.Ipv4(expected, expected));
  }

  private void addresses(String filter, int at) {
    network(at + abi.offset(filter, "src_ip"), 0x0a000001, 4);
    network(at + abi.offset(filter, "dst_ip"), 0xc0a80102, 4);
  }

  @Test
  void readsMoreOfIpv4() {
    String filter = "ibv_flow_ipv4_ext_filter";
    begin("ibv_flow_spec_ipv4_ext", 0x32, 32);
    fill(
        "ibv_flow_spec_ipv4_ext",
        at -> {
          addresses(filter, at);
          memory.put(at + abi.offset(filter, "proto"), (byte) 0xfe);
          memory.put(at + abi.offset(filter, "tos"), (byte) 2);
          memory.put(at + abi.offset(filter, "ttl"), (byte) 3);
          memory.put(at + abi.offset(filter, "flags"), (byte) 4);
        });

    Ipv4ExtFilter expected = new Ipv4ExtFilter(0x0a000001, 0xc0a80102, 0xfe, 2, 3, 4);
    assertThat(readOne()).isEqualTo(new FlowSpec.Ipv4Ext(expected, expected));
  }

  @Test
  void readsIpv6() {
    String filter = "ibv_flow_ipv6_filter";
    begin("ibv_flow_spec_ipv6", 0x31, 88);
    fill(
        "ibv_flow_spec_ipv6",
        at -> {
          memory.put(at + abi.offset(filter, "src_ip"), SOURCE.toBytes());
          memory.put(at + abi.offset(filter, "dst_ip"), DESTINATION.toBytes());
          network(at + abi.offset(filter, "flow_label"), 0x12345, 4);
          memory.put(at + abi.offset(filter, "next_hdr"), (byte) 0x81);
          memory.put(at + abi.offset(filter, "traffic_class"), (byte) 6);
          memory.put(at + abi.offset(filter, "hop_limit"), (byte) 7);
        });

    Ipv6Filter expected = new Ipv6Filter(SOURCE, DESTINATION, 0x12345, 0x81, 6, 7);
    assertThat(readOne()).isEqualTo(new FlowSpec.Ipv6(expected, expected));
  }

  @Test
  void readsPorts() {
    String filter = "ibv_flow_tcp_udp_filter";
    TcpUdpFilter expected = new TcpUdpFilter(0xfedc, 7);
    fill(
        "ibv_flow_spec_tcp_udp",
        at -> {
          network(at + abi.offset(filter, "dst_port"), 0xfedc, 2);
          network(at + abi.offset(filter, "src_port"), 7, 2);
        });

    begin("ibv_flow_spec_tcp_udp", 0x40, 16);
    assertThat(readOne()).isEqualTo(new FlowSpec.Tcp(expected, expected));
    begin("ibv_flow_spec_tcp_udp", 0x41, 16);
    assertThat(readOne()).isEqualTo(new FlowSpec.Udp(expected, expected));
  }

  @Test
  void readsSeveralOneBehindTheOther() {
    begin("ibv_flow_spec_ipv4", 0x30, 24);
    memory.put(attr("num_of_specs"), (byte) 2);
    memory.putInt(SPEC + 24, 0x40);
    memory.putShort(SPEC + 28, (short) 16);

    assertThat(FlowAttrStruct.read(memory, AT).specs())
        .hasExactlyElementsOfTypes(FlowSpec.Ipv4.class, FlowSpec.Tcp.class);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    begin("ibv_flow_spec_ipv4", 0x1001, 24);
    assertRefused(Errno.EOPNOTSUPP, "0x1001");

    begin("ibv_flow_spec_ipv4", 0x30, 23);
    assertRefused(Errno.EINVAL, "23 bytes, not 24");

    begin("ibv_flow_spec_ipv4", 0x30, 0xffff);
    assertRefused(Errno.EINVAL, "65535 bytes");

    begin("ibv_flow_spec_ipv4", 0x30, memory.capacity() - SPEC);
    memory.put(attr("num_of_specs"), (byte) 2);
    assertRefused(Errno.EINVAL, "0 bytes");

    begin("ibv_flow_spec_ipv4", 0x30, 24);
    for (String field : Set.of("comp_mask", "type", "flags")) {
      memory.putInt(attr(field), 1 << 20);
      assertRefused(Errno.EINVAL, "");
      memory.putInt(attr(field), 0);
    }
  }

  private void assertRefused(Errno errno, String reason) {
    assertThatThrownBy(() -> FlowAttrStruct.read(memory, AT))
        .hasMessageContaining(reason)
        .isInstanceOfSatisfying(
            VerbsException.class, refused -> assertThat(refused.errno()).isEqualTo(errno));
  }
}

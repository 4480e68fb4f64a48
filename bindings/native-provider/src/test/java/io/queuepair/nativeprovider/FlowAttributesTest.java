// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import java.lang.foreign.Arena;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Bytes of {@code struct ibv_flow_attr} and its specifications, as {@code verbs.h} has them. */
final class FlowAttributesTest {
  private static final FlowSpec.TcpUdpFilter PORTS = new FlowSpec.TcpUdpFilter(0x1234, 0x5678);
  private static final FlowSpec.TcpUdpFilter ALL = new FlowSpec.TcpUdpFilter(0xffff, 0);

  private static String bytes(FlowAttr attr, int count) {
    try (Arena arena = Arena.ofConfined()) {
      long at = FlowAttributes.write(arena, attr);
      byte[] bytes = new byte[count];
      for (int i = 0; i < count; i++) {
        bytes[i] = (byte) RawMemory.getByte(at + i);
      }
      return HexFormat.of().formatHex(bytes);
    }
  }

  private static String spec(FlowSpec spec, int count) {
    return bytes(FlowAttr.normal(spec), 20 + count).substring(2 * 20);
  }

  private static String hex(String spaced) {
    return spaced.replaceAll("\\s", "");
  }

  @Test
  void attributesAreInTheOrderOfTheProcessor() {
    FlowAttr attr =
        new FlowAttr(FlowAttrType.SNIFFER, 0x0102, 3, Set.of(FlowFlag.DONT_TRAP), List.of());

    // comp_mask type size priority num_of_specs port flags
    assertThat(bytes(attr, 20)).isEqualTo(hex("00000000 03000000 1400 0201 00 03 0000 02000000"));
  }

  @Test
  void theSizeIsThatOfAll() {
    FlowAttr attr =
        FlowAttr.normal(
            FlowSpec.Eth.to(MacAddress.of("02:04:06:08:0a:0c")), new FlowSpec.Udp(PORTS, ALL));

    // 20 + 40 + 16 bytes
    assertThat(bytes(attr, 14)).isEqualTo(hex("00000000 00000000 4c00 0000 02 01"));
  }

  @Test
  void headersAreInNetworkOrder() {
    FlowSpec.EthFilter val =
        new FlowSpec.EthFilter(
            MacAddress.of("02:04:06:08:0a:0c"), MacAddress.of("02:01:02:03:04:05"), 0x0800, 0x2064);
    FlowSpec.EthFilter mask =
        new FlowSpec.EthFilter(MacAddress.BROADCAST, MacAddress.ZERO, 0xffff, 0x0fff);

    // type size, then of value and mask: dst_mac src_mac ether_type vlan_tag
    assertThat(spec(new FlowSpec.Eth(val, mask), 40))
        .isEqualTo(
            hex(
                """
                20000000 2800 02040608 0a0c 020102030405 0800 2064
                ffffffff ffff 000000000000 ffff 0fff 0000
                """));
    // type size, then of value and mask: dst_port src_port
    assertThat(spec(new FlowSpec.Tcp(PORTS, ALL), 16))
        .isEqualTo(hex("40000000 1000 1234 5678 ffff 0000 0000"));
    assertThat(spec(new FlowSpec.Udp(PORTS, ALL), 16))
        .isEqualTo(hex("41000000 1000 1234 5678 ffff 0000 0000"));
  }

  @Test
  void addressesOfIpBeginWithTheSource() {
    FlowSpec.Ipv4Filter ipv4 = new FlowSpec.Ipv4Filter(0x0a00_0001, 0x0a00_0002);
    FlowSpec.Ipv4Filter all = new FlowSpec.Ipv4Filter(-1, 0);

    // type size padding, then of value and mask: src_ip dst_ip
    assertThat(spec(new FlowSpec.Ipv4(ipv4, all), 24))
        .isEqualTo(hex("30000000 1800 0000 0a000001 0a000002 ffffffff 00000000"));

    FlowSpec.Ipv4ExtFilter ext = new FlowSpec.Ipv4ExtFilter(0x0a00_0001, 0, 17, 0x20, 64, 2);
    FlowSpec.Ipv4ExtFilter extMask = new FlowSpec.Ipv4ExtFilter(-1, 0, 255, 0, 0, 2);

    // type size padding, then of value and mask: src_ip dst_ip proto tos ttl flags
    assertThat(spec(new FlowSpec.Ipv4Ext(ext, extMask), 32))
        .isEqualTo(
            hex("32000000 2000 0000 0a000001 00000000 11 20 40 02 ffffffff 00000000 ff 00 00 02"));

    FlowSpec.Ipv6Filter ipv6 =
        new FlowSpec.Ipv6Filter(
            new Gid(0x2001_0db8_0000_0000L, 1),
            new Gid(0x2001_0db8_0000_0000L, 2),
            0xabcde,
            6,
            7,
            8);
    FlowSpec.Ipv6Filter none = new FlowSpec.Ipv6Filter(Gid.ZERO, new Gid(-1, -1), 0, 0, 0, 0);

    // type size padding, then of value and mask: src_ip dst_ip flow_label next_hdr class limit
    assertThat(spec(new FlowSpec.Ipv6(ipv6, none), 88))
        .isEqualTo(
            hex(
                """
                31000000 5800 0000
                20010db8000000000000000000000001 20010db8000000000000000000000002
                000abcde 06 07 08 00
                00000000000000000000000000000000 ffffffffffffffffffffffffffffffff
                00000000 00 00 00 00
                """));
  }

  @Test
  void aNumberWithoutRoomIsRefused() {
    FlowAttr attr = FlowAttr.of(FlowAttrType.ALL_DEFAULT);

    assertThat(SystemHost.errnoOf(() -> bytes(attr.withPriority(0x10000), 20)))
        .isEqualTo(Errno.EINVAL);
    assertThat(SystemHost.errnoOf(() -> bytes(attr.withPort(256), 20))).isEqualTo(Errno.EINVAL);
  }
}

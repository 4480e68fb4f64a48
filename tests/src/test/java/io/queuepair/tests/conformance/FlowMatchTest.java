// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.FlowSpec.EthFilter;
import io.queuepair.verbs.FlowSpec.Ipv4ExtFilter;
import io.queuepair.verbs.FlowSpec.Ipv4Filter;
import io.queuepair.verbs.FlowSpec.Ipv6Filter;
import io.queuepair.verbs.FlowSpec.TcpUdpFilter;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.WorkCompletion;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which frames the specifications of a flow match: each against each of {@link Frames}. */
final class FlowMatchTest {
  private static final MacAddress ALL = MacAddress.BROADCAST;
  private static final MacAddress ANY = MacAddress.ZERO;
  private static final MacAddress A = MacAddress.of("02:00:0a:00:00:01");
  private static final MacAddress B = MacAddress.of("02:00:0a:00:00:02");
  private static final int IP_A = 0x0a000001;
  private static final int IP_B = 0x0a000002;
  private static final Gid FD_A = new Gid(0xfd00_0000_0000_0000L, 1);
  private static final Gid FD_B = new Gid(0xfd00_0000_0000_0000L, 2);
  private static final Gid FULL = new Gid(-1, -1);
  private static final Set<Frames> IPV4 =
      EnumSet.of(Frames.UDP_IPV4, Frames.FRAGMENT_IPV4, Frames.TCP_IPV4, Frames.VLAN_IPV4);

  static Stream<Arguments> ethernet() {
    return Stream.of(
        Arguments.of(
            "destination", eth(new EthFilter(B, ANY, 0, 0), new EthFilter(ALL, ANY, 0, 0)), all()),
        Arguments.of("wrong destination", eth(filter(A, ANY), filter(ALL, ANY)), none()),
        Arguments.of("source", eth(filter(ANY, A), filter(ANY, ALL)), all()),
        Arguments.of("wrong source", eth(filter(ANY, B), filter(ANY, ALL)), none()),
        Arguments.of(
            "source but for its last byte",
            eth(filter(ANY, B), filter(ANY, new MacAddress(0xffff_ffff_ff00L))),
            all()),
        Arguments.of(
            "value without mask", eth(new EthFilter(A, B, 0x88b5, 7), filter(ANY, ANY)), all()),
        Arguments.of("type", type(0x88b5, 0xffff), EnumSet.of(Frames.PLAIN)),
        Arguments.of("type behind the tag", type(0x0800, 0xffff), IPV4),
        Arguments.of("type of the tag", type(0x8100, 0xffff), none()),
        Arguments.of("tag", tag(0x6005, 0xffff), EnumSet.of(Frames.VLAN_IPV4)),
        Arguments.of("VLAN number", tag(5, 0x0fff), EnumSet.of(Frames.VLAN_IPV4)),
        Arguments.of("wrong VLAN number", tag(6, 0x0fff), none()),
        Arguments.of("VLAN number zero", tag(0, 0x0fff), none()));
  }

  static Stream<Arguments> network() {
    return Stream.of(
        Arguments.of("any IPv4", ipv4(0, 0, 0, 0), IPV4),
        Arguments.of("IPv4 source", ipv4(IP_A, 0, -1, 0), IPV4),
        Arguments.of("IPv4 destination", ipv4(0, IP_B, 0, -1), IPV4),
        Arguments.of("wrong IPv4 source", ipv4(IP_B, 0, -1, 0), none()),
        Arguments.of("wrong IPv4 destination", ipv4(0, IP_A, 0, -1), none()),
        Arguments.of("IPv4 network", ipv4(0x0a0000ff, 0, 0xffffff00, 0), IPV4),
        Arguments.of("any IPv6", ipv6(any(), any()), EnumSet.of(Frames.UDP_IPV6)),
        Arguments.of(
            "all of IPv6",
            ipv6(
                new Ipv6Filter(FD_A, FD_B, 0x34567, 17, 0x12, 9),
                new Ipv6Filter(FULL, FULL, 0xfffff, 0xff, 0xff, 0xff)),
            EnumSet.of(Frames.UDP_IPV6)),
        Arguments.of("wrong IPv6 source", ipv6(pair(FD_B, FD_B), pair(FULL, Gid.ZERO)), none()),
        Arguments.of(
            "wrong IPv6 destination", ipv6(pair(FD_A, FD_A), pair(Gid.ZERO, FULL)), none()),
        Arguments.of("wrong flow label", ipv6Fields(0x34566, 0, 0, 0), none()),
        Arguments.of("wrong next header", ipv6Fields(0, 6, 0, 0), none()),
        Arguments.of("wrong traffic class", ipv6Fields(0, 0, 0x13, 0), none()),
        Arguments.of("wrong hop limit", ipv6Fields(0, 0, 0, 8), none()));
  }

  static Stream<Arguments> moreOfIpv4() {
    return Stream.of(
        Arguments.of("any", ipv4Ext(0, 0, 0, 0, 0, 0), IPV4),
        Arguments.of("source", ipv4Ext(IP_A, -1, 0, 0, 0, 0), IPV4),
        Arguments.of("wrong source", ipv4Ext(IP_B, -1, 0, 0, 0, 0), none()),
        Arguments.of("protocol", ipv4Ext(0, 0, 6, 0xff, 0, 0), EnumSet.of(Frames.TCP_IPV4)),
        Arguments.of(
            "some bits of the protocol", ipv4Ext(0, 0, 16, 16, 0, 0), without(Frames.TCP_IPV4)),
        Arguments.of(
            "not to be fragmented",
            ipv4Ext(0, 0, 0, 0, Ipv4ExtFilter.DONT_FRAGMENT, 6),
            without(Frames.FRAGMENT_IPV4)),
        Arguments.of(
            "fragment",
            ipv4Ext(0, 0, 0, 0, Ipv4ExtFilter.MORE_FRAGMENTS, 6),
            EnumSet.of(Frames.FRAGMENT_IPV4)),
        Arguments.of("time to live", ipv4Ttl(64), IPV4),
        Arguments.of("wrong time to live", ipv4Ttl(63), none()),
        Arguments.of("wrong type of service", ipv4Tos(1), none()));
  }

  static Stream<Arguments> transport() {
    Set<Frames> udp = EnumSet.of(Frames.UDP_IPV4, Frames.UDP_IPV6, Frames.VLAN_IPV4);
    return Stream.of(
        Arguments.of("any UDP", udp(0, 0, 0, 0), udp),
        Arguments.of("UDP destination", udp(0x1234, 0, 0xffff, 0), udp),
        Arguments.of("UDP source", udp(0, 7, 0, 0xffff), udp),
        Arguments.of("wrong UDP destination", udp(7, 0, 0xffff, 0), none()),
        Arguments.of("wrong UDP source", udp(0, 0x1234, 0, 0xffff), none()),
        Arguments.of("TCP behind options", tcp(0x1234, 7), EnumSet.of(Frames.TCP_IPV4)),
        Arguments.of("wrong TCP port", tcp(0x1235, 7), none()));
  }

  static Stream<Arguments> combinations() {
    FlowSpec udp = new FlowSpec.Udp(new TcpUdpFilter(0x1234, 7), new TcpUdpFilter(0xffff, 0xffff));
    return Stream.of(
        Arguments.of("no specification", FlowAttr.normal(), all()),
        Arguments.of(
            "every layer, in any order",
            FlowAttr.normal(
                udp,
                FlowSpec.Eth.to(B),
                new FlowSpec.Ipv4(new Ipv4Filter(IP_A, IP_B), new Ipv4Filter(-1, -1))),
            EnumSet.of(Frames.UDP_IPV4, Frames.VLAN_IPV4)),
        Arguments.of(
            "one layer differs",
            FlowAttr.normal(
                udp,
                FlowSpec.Eth.to(A),
                new FlowSpec.Ipv4(new Ipv4Filter(0, 0), new Ipv4Filter(0, 0))),
            none()),
        Arguments.of(
            "contradiction",
            FlowAttr.normal(udp, new FlowSpec.Eth(filterOfType(0x88b5), filterOfType(0xffff))),
            none()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"ethernet", "network", "moreOfIpv4", "transport", "combinations"})
  void flowTakesWhatItsSpecificationsMatch(String name, FlowAttr flow, Set<Frames> expected) {
    for (LinkForm form : LinkForm.values()) {
      Set<Frames> taken = EnumSet.noneOf(Frames.class);
      for (Frames frame : Frames.values()) {
        try (Segment segment = new Segment(form.fabric())) {
          if (takes(segment, flow, frame)) {
            taken.add(frame);
          }
        }
      }

      assertThat(taken).as(form.name()).isEqualTo(expected);
    }
  }

  /** Whether the frame arrives, and then once, and as it was sent. */
  private static boolean takes(Segment segment, FlowAttr flow, Frames frame) {
    RawHost receiver = segment.b();
    receiver.steer(flow);
    receiver.postRecv(0);
    receiver.postRecv(1);
    segment.a().send(1, frame.bytes());
    segment.drain();
    List<WorkCompletion> received = receiver.recvCq().poll(2);
    assertThat(received).hasSizeLessThan(2);
    received.forEach(each -> assertThat(receiver.slot(0, each.byteLen())).isEqualTo(frame.bytes()));
    return !received.isEmpty();
  }

  private static Set<Frames> all() {
    return EnumSet.allOf(Frames.class);
  }

  private static Set<Frames> none() {
    return EnumSet.noneOf(Frames.class);
  }

  private static FlowAttr eth(EthFilter val, EthFilter mask) {
    return FlowAttr.normal(new FlowSpec.Eth(val, mask));
  }

  private static EthFilter filter(MacAddress dst, MacAddress src) {
    return new EthFilter(dst, src, 0, 0);
  }

  private static EthFilter filterOfType(int type) {
    return new EthFilter(ANY, ANY, type, 0);
  }

  private static FlowAttr type(int val, int mask) {
    return eth(filterOfType(val), filterOfType(mask));
  }

  private static FlowAttr tag(int val, int mask) {
    return eth(new EthFilter(ANY, ANY, 0, val), new EthFilter(ANY, ANY, 0, mask));
  }

  private static FlowAttr ipv4(int src, int dst, int srcMask, int dstMask) {
    return FlowAttr.normal(
        new FlowSpec.Ipv4(new Ipv4Filter(src, dst), new Ipv4Filter(srcMask, dstMask)));
  }

  /** All frames of IPv4 but one. */
  private static Set<Frames> without(Frames other) {
    Set<Frames> frames = EnumSet.copyOf(IPV4);
    frames.remove(other);
    return frames;
  }

  private static FlowAttr ipv4Ext(
      int src, int srcMask, int proto, int protoMask, int flags, int flagsMask) {
    return ipv4Ext(
        new Ipv4ExtFilter(src, 0, proto, 0, 0, flags),
        new Ipv4ExtFilter(srcMask, 0, protoMask, 0, 0, flagsMask));
  }

  private static FlowAttr ipv4Ext(Ipv4ExtFilter val, Ipv4ExtFilter mask) {
    return FlowAttr.normal(new FlowSpec.Ipv4Ext(val, mask));
  }

  private static FlowAttr ipv4Ttl(int ttl) {
    return ipv4Ext(
        new Ipv4ExtFilter(0, IP_B, 0, 0, ttl, 0), new Ipv4ExtFilter(0, -1, 0, 0, 0xff, 0));
  }

  private static FlowAttr ipv4Tos(int tos) {
    return ipv4Ext(new Ipv4ExtFilter(0, 0, 0, tos, 0, 0), new Ipv4ExtFilter(0, 0, 0, 0xff, 0, 0));
  }

  private static FlowAttr ipv6(Ipv6Filter val, Ipv6Filter mask) {
    return FlowAttr.normal(new FlowSpec.Ipv6(val, mask));
  }

  /** Matches in full the fields that are not zero. */
  private static FlowAttr ipv6Fields(int flowLabel, int nextHeader, int trafficClass, int hops) {
    return ipv6(
        new Ipv6Filter(Gid.ZERO, Gid.ZERO, flowLabel, nextHeader, trafficClass, hops),
        new Ipv6Filter(
            Gid.ZERO,
            Gid.ZERO,
            flowLabel == 0 ? 0 : 0xfffff,
            nextHeader == 0 ? 0 : 0xff,
            trafficClass == 0 ? 0 : 0xff,
            hops == 0 ? 0 : 0xff));
  }

  private static Ipv6Filter pair(Gid src, Gid dst) {
    return new Ipv6Filter(src, dst, 0, 0, 0, 0);
  }

  private static Ipv6Filter any() {
    return pair(Gid.ZERO, Gid.ZERO);
  }

  private static FlowAttr udp(int dst, int src, int dstMask, int srcMask) {
    return FlowAttr.normal(
        new FlowSpec.Udp(new TcpUdpFilter(dst, src), new TcpUdpFilter(dstMask, srcMask)));
  }

  private static FlowAttr tcp(int dst, int src) {
    return FlowAttr.normal(
        new FlowSpec.Tcp(new TcpUdpFilter(dst, src), new TcpUdpFilter(0xffff, 0xffff)));
  }
}

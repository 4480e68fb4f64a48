// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
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
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Refusals of ibv_create_flow and ibv_destroy_qp. */
final class FlowRefusalTest {
  private static final MacAddress ANY = MacAddress.ZERO;
  private static final EthFilter OPEN = new EthFilter(ANY, ANY, 0, 0);
  private static final TcpUdpFilter PORTS = new TcpUdpFilter(0, 0);
  private static final Ipv6Filter IPV6 = new Ipv6Filter(Gid.ZERO, Gid.ZERO, 0, 0, 0, 0);
  private static final FlowSpec IPV4 =
      new FlowSpec.Ipv4(new Ipv4Filter(0, 0), new Ipv4Filter(0, 0));

  @AutoClose private final Segment segment = new Segment();

  static Stream<Arguments> invalid() {
    FlowAttr any = FlowAttr.normal();
    return Stream.of(
        Arguments.of(any.withPriority(-1), "priority -1 is not 0 to 65535"),
        Arguments.of(any.withPriority(65_536), "priority 65536 is not 0 to 65535"),
        Arguments.of(any.withPort(0), "port 0 is not 1 to 2"),
        Arguments.of(any.withPort(3), "port 3 is not 1 to 2"),
        Arguments.of(any.withPort(2), "port 2 is not that of the queue pair, which is 1"),
        Arguments.of(
            FlowAttr.of(FlowAttrType.SNIFFER).withFlags(FlowFlag.DONT_TRAP),
            "DONT_TRAP is for flows of type NORMAL, not SNIFFER"),
        Arguments.of(
            new FlowAttr(FlowAttrType.MC_DEFAULT, 0, 1, Set.of(), List.of(IPV4)),
            "a flow of type MC_DEFAULT has no specifications"),
        Arguments.of(
            FlowAttr.normal(FlowSpec.Eth.to(ANY), FlowSpec.Eth.to(ANY)),
            "there are two specifications of layer ETHERNET, no frame matches both"),
        Arguments.of(
            FlowAttr.normal(new FlowSpec.Ipv6(IPV6, IPV6), IPV4),
            "there are two specifications of layer NETWORK, no frame matches both"),
        Arguments.of(
            FlowAttr.normal(new FlowSpec.Tcp(PORTS, PORTS), new FlowSpec.Udp(PORTS, PORTS)),
            "there are two specifications of layer TRANSPORT, no frame matches both"));
  }

  private static Arguments field(FlowSpec spec, String reason) {
    return Arguments.of(FlowAttr.normal(spec), reason);
  }

  static Stream<Arguments> outOfRange() {
    return Stream.of(
        field(
            new FlowSpec.Eth(OPEN, new EthFilter(ANY, ANY, 0x1_0000, 0)),
            "ether_type 65536 is not 0 to 65535"),
        field(
            new FlowSpec.Eth(new EthFilter(ANY, ANY, 0, -1), OPEN),
            "vlan_tag -1 is not 0 to 65535"),
        field(
            new FlowSpec.Eth(new EthFilter(new MacAddress(1L << 48), ANY, 0, 0), OPEN),
            "dst_mac has more than 48 bits"),
        field(
            new FlowSpec.Ipv6(IPV6, new Ipv6Filter(Gid.ZERO, Gid.ZERO, 1 << 20, 0, 0, 0)),
            "flow_label 1048576 is not 0 to 1048575"),
        field(
            new FlowSpec.Ipv6(new Ipv6Filter(Gid.ZERO, Gid.ZERO, 0, 0, 0, 256), IPV6),
            "hop_limit 256 is not 0 to 255"),
        field(
            new FlowSpec.Ipv4Ext(
                new Ipv4ExtFilter(0, 0, 0, 0, 0, 1), new Ipv4ExtFilter(0, 0, 256, 0, 0, 0)),
            "proto 256 is not 0 to 255"),
        field(
            new FlowSpec.Ipv4Ext(
                new Ipv4ExtFilter(0, 0, 0, 0, 0, 8), new Ipv4ExtFilter(0, 0, 0, 0, 0, 0)),
            "flags 8 is not 0 to 6"),
        field(
            new FlowSpec.Udp(new TcpUdpFilter(65_536, 0), PORTS),
            "dst_port 65536 is not 0 to 65535"),
        field(
            new FlowSpec.Tcp(PORTS, new TcpUdpFilter(0, 65_536)),
            "src_port 65536 is not 0 to 65535"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource({"invalid", "outOfRange"})
  void flowThatCannotBeIsRefused(FlowAttr flow, String reason) {
    assertRefused(Errno.EINVAL, reason, () -> segment.a().qp().createFlow(flow));
  }

  private static Errno errnoOf(QueuePair qp, FlowAttr flow) {
    return Errnos.of(() -> qp.createFlow(flow));
  }

  @Test
  void sentFramesCannotBeSteered() {
    FlowAttr flow = FlowAttr.normal().withFlags(FlowFlag.EGRESS);

    assertThat(errnoOf(segment.a().qp(), flow)).isEqualTo(Errno.EOPNOTSUPP);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "UD"})
  void otherTypesOfQueuePairHaveNoFlows(QpType type) {
    RawHost host = segment.a();
    QueuePair qp = host.pd().createQp(QpInitAttr.of(type, host.sendCq(), QpCap.of(1)));

    assertThat(errnoOf(qp, FlowAttr.normal())).isEqualTo(Errno.EINVAL);
  }

  @Test
  void queuePairWithAFlowIsBusy() {
    QueuePair qp = segment.a().qp();
    Flow flow = segment.a().steer(FlowAttr.normal());

    assertThat(Errnos.of(qp::close)).isEqualTo(Errno.EBUSY);
    flow.close();
    flow.close();
    qp.close();

    assertThat(errnoOf(qp, FlowAttr.normal())).isEqualTo(Errno.EINVAL);
  }
}

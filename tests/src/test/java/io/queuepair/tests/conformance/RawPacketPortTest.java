// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Frames of a device with two ports: each is on the segment with its own address. "Physical HCA
 * port the QP will use to send and receive messages" (InfiniBand Network Architecture, Table 12-2).
 */
final class RawPacketPortTest {
  private static final String MAC_1 = "02:00:0a:00:00:04";
  private static final String MAC_2 = "02:00:0a:01:00:04";
  private static final String BROADCAST = "ff:ff:ff:ff:ff:ff";

  @AutoClose private final Segment segment = new Segment();
  private final EmulatedDevice device =
      segment.addTwoPorts(List.of("10.0.0.4"), List.of("10.1.0.4"));
  private final RawHost first = new RawHost(device, 1);
  private final RawHost second = new RawHost(device, 2);

  private void takeOnBoth(FlowAttr flow) {
    for (RawHost port : List.of(first, second)) {
      port.steer(flow);
      port.postRecv(0);
      port.postRecv(1);
    }
  }

  private void send(RawHost sender, String destination) {
    sender.send(1, Frames.PLAIN.to(destination));
    segment.drain();
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void snifferSeesRoceOfItsPortOnly(LinkForm form) {
    try (Segment other = new Segment(form.fabric())) {
      EmulatedDevice sender = other.addTwoPorts(List.of("10.0.0.4"), List.of("10.1.0.4"));
      EmulatedDevice receiver = other.addTwoPorts(List.of("10.0.0.5"), List.of("10.1.0.5"));
      List<RawHost> sniffers =
          List.of(
              new RawHost(sender, 1),
              new RawHost(sender, 2),
              new RawHost(receiver, 1),
              new RawHost(receiver, 2));
      sniffers.forEach(each -> each.steer(FlowAttr.of(FlowAttrType.SNIFFER)));
      sniffers.forEach(each -> each.postRecv(0));
      DatagramHost a = new DatagramHost(sender);
      DatagramHost b = new DatagramHost(receiver);

      AhAttr toPort1 = new AhAttr(new GlobalRoute(b.context().queryGid(1, 0), 0, 0, 64, 0), 0, 2);
      a.send(a.createQp(2, DatagramHost.QKEY), toPort1, 0x99, DatagramHost.QKEY);
      other.drain();

      assertThat(sniffers.get(0).receives()).isEmpty();
      assertThat(sniffers.get(1).receives()).hasSize(1);
      assertThat(sniffers.get(2).receives()).hasSize(1);
      assertThat(sniffers.get(3).receives()).isEmpty();
    }
  }

  @Test
  void portThatIsDownKeepsNoOtherFromWork() {
    takeOnBoth(FlowAttr.normal());
    device.setPortUp(1, false);

    send(segment.a(), BROADCAST);
    assertThat(first.receives()).isEmpty();
    assertThat(second.receives()).containsExactly("0 RECV 18");
    assertThat(first.drops("PORT_DOWN")).isOne();

    device.setPortUp(1, true);
    device.setPortUp(2, false);
    send(second, MAC_1);
    assertThat(first.receives()).isEmpty();
    assertThat(first.drops("PORT_DOWN")).isEqualTo(2);
  }

  @Test
  void portJoinsTheSegmentWithItsFirstAddress() {
    EmulatedDevice fresh = segment.addTwoPorts(List.of("10.0.0.5"), List.of());
    RawHost port = new RawHost(fresh, 2);
    port.steer(FlowAttr.normal());
    port.postRecv(0);
    port.postRecv(1);
    segment.a().steer(FlowAttr.normal());
    segment.a().postRecv(0);
    segment.a().postRecv(1);

    send(port, BROADCAST);
    send(segment.a(), BROADCAST);
    assertThat(segment.a().receives()).isEmpty();
    assertThat(port.receives()).isEmpty();
    assertThat(port.drops("PORT_DOWN")).isOne();

    fresh.addAddress(2, "10.1.0.5");
    fresh.addAddress(2, "10.1.0.6");
    fresh.setPortUp(2, true);
    send(port, BROADCAST);
    send(segment.a(), "02:00:0a:01:00:05");
    assertThat(segment.a().receives()).containsExactly("0 RECV 18");
    assertThat(port.receives()).containsExactly("0 RECV 18");
  }

  @Test
  void queuePairThatMovedAwayTakesNothingFromTheOldPort() {
    first.steer(FlowAttr.normal());
    first.qp().modify(QpAttr.to(QpState.RESET));
    first.qp().modify(QpAttr.to(QpState.INIT).portNum(2));
    first.qp().modify(QpAttr.to(QpState.RTR));
    first.postRecv(0);

    send(segment.a(), MAC_1);

    assertThat(first.receives()).isEmpty();
    assertThat(first.drops("WRONG_PORT")).isOne();
  }

  @Test
  void beforeItHasAPortAQueuePairMayHaveFlowsOfAnyPort() {
    second.qp().modify(QpAttr.to(QpState.RESET));
    second.qp().createFlow(FlowAttr.normal().withPort(1));
    second.qp().createFlow(FlowAttr.normal().withPort(2));
    second.restart();
    second.postRecv(0);

    assertThatThrownBy(() -> second.qp().createFlow(FlowAttr.normal().withPort(1)))
        .hasMessageContaining("port 1 is not that of the queue pair, which is 2");
    send(segment.a(), MAC_2);

    assertThat(second.receives()).containsExactly("0 RECV 18");
  }
}

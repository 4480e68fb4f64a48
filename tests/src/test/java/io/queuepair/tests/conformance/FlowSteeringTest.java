// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.QueuePair;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which device and which queue pair gets a frame: ibv_create_flow(3). */
final class FlowSteeringTest {
  private static final String GROUP = "01:00:5e:01:01:01";
  private static final String UNKNOWN_MAC = "02:00:0a:00:00:99";

  private Segment segment;

  @BeforeEach
  void attach() {
    segment = new Segment();
  }

  @AfterEach
  void detach() {
    segment.close();
  }

  @Test
  void withoutFlowNothingIsReceived() {
    segment.b().postRecv(0);

    sendToB();

    assertThat(segment.b().receives()).isEmpty();
  }

  @Test
  void frameReachesTheDeviceWithItsAddressOnly() {
    takeAll(segment.b());
    takeAll(segment.c());

    sendToB();

    assertThat(segment.b().receives()).containsExactly("0 RECV 18");
    assertThat(segment.c().receives()).isEmpty();
  }

  @Test
  void broadcastReachesAllOthersButNotTheSender() {
    takeAll(segment.a());
    takeAll(segment.b());
    takeAll(segment.c());

    send(Frames.PLAIN.to("ff:ff:ff:ff:ff:ff"));

    assertThat(segment.a().receives()).isEmpty();
    assertThat(segment.b().receives()).containsExactly("0 RECV 18");
    assertThat(segment.c().receives()).containsExactly("0 RECV 18");
  }

  @Test
  void deviceWithSeveralAddressesGetsOneCopy() {
    RawHost many = segment.add("10.0.0.4", "10.0.0.5");
    many.steer(FlowAttr.normal());
    many.postRecv(0);
    many.postRecv(1);

    send(Frames.PLAIN.to("ff:ff:ff:ff:ff:ff"));

    assertThat(many.receives()).containsExactly("0 RECV 18");
  }

  @Test
  void multicastReachesThoseWithAFlowForIt() {
    segment.b().steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(GROUP))));
    segment.c().steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of("01:00:5e:01:01:02"))));
    segment.b().postRecv(0);
    segment.c().postRecv(0);

    send(Frames.PLAIN.to(GROUP));

    assertThat(segment.b().receives()).containsExactly("0 RECV 18");
    assertThat(segment.c().receives()).isEmpty();
  }

  @Test
  void flowDoesNotSeeFramesForOtherStations() {
    segment.b().steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(UNKNOWN_MAC))));
    segment.b().postRecv(0);

    send(Frames.PLAIN.to(UNKNOWN_MAC));

    assertThat(segment.b().receives()).isEmpty();
  }

  @Test
  void defaultFlowTakesFramesForAnybody() {
    segment.b().steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    segment.b().postRecv(0);
    segment.b().postRecv(1);

    send(Frames.PLAIN.to(UNKNOWN_MAC));
    send(Frames.PLAIN.to(GROUP));

    assertThat(segment.b().receives()).containsExactly("0 RECV 18", "1 RECV 18");
  }

  @Test
  void defaultFlowTakesWhatNoOtherDoes() {
    QueuePair specific = segment.b().createQp();
    segment.b().steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    specific.createFlow(FlowAttr.normal(FlowSpec.Eth.to(segment.b().mac())).withPriority(9));
    postOn(specific, 0);
    segment.b().postRecv(1);

    sendToB();
    send(Frames.PLAIN.to(GROUP));

    assertThat(segment.b().receivers()).containsExactly(specific.qpNum(), segment.b().qp().qpNum());
  }

  @Test
  void multicastDefaultFlowTakesMulticastOnlyAndBeforeTheOtherDefault() {
    QueuePair multicast = segment.b().createQp();
    segment.b().steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    multicast.createFlow(FlowAttr.of(FlowAttrType.MC_DEFAULT));
    postOn(multicast, 0);
    segment.b().postRecv(1);

    send(Frames.PLAIN.to(GROUP));
    sendToB();

    assertThat(segment.b().receivers())
        .containsExactly(multicast.qpNum(), segment.b().qp().qpNum());
  }

  @Test
  void lowerPriorityNumberIsAskedFirst() {
    QueuePair first = segment.b().createQp();
    segment.b().steer(FlowAttr.normal().withPriority(2));
    first.createFlow(FlowAttr.normal().withPriority(1));
    postOn(first, 0);
    segment.b().postRecv(1);

    sendToB();

    assertThat(segment.b().receivers()).containsExactly(first.qpNum());
  }

  @Test
  void olderFlowIsAskedFirstAmongEqualPriorities() {
    QueuePair younger = segment.b().createQp();
    segment.b().steer(FlowAttr.normal());
    younger.createFlow(FlowAttr.normal());
    postOn(younger, 0);
    segment.b().postRecv(1);

    sendToB();

    assertThat(segment.b().receivers()).containsExactly(segment.b().qp().qpNum());
  }

  @Test
  void flowThatDoesNotTrapLetsTheNextOneHaveTheFrameToo() {
    QueuePair behind = segment.b().createQp();
    segment.b().steer(FlowAttr.normal().withFlags(FlowFlag.DONT_TRAP));
    behind.createFlow(FlowAttr.normal().withPriority(1));
    segment.b().postRecv(0);
    postOn(behind, 1);

    sendToB();

    assertThat(segment.b().receives()).containsExactly("0 RECV 18", "1 RECV 18");
    assertThat(segment.b().slot(0, 18)).isEqualTo(Frames.PLAIN.bytes());
    assertThat(segment.b().slot(1, 18)).isEqualTo(Frames.PLAIN.bytes());
  }

  @Test
  void severalFlowsMayLeadToOneQueuePairWhichGetsOneCopy() {
    segment.b().steer(FlowAttr.normal().withFlags(FlowFlag.DONT_TRAP));
    segment.b().steer(FlowAttr.normal().withPriority(1));
    segment.b().steer(FlowAttr.of(FlowAttrType.SNIFFER));
    segment.b().postRecv(0);
    segment.b().postRecv(1);

    sendToB();

    assertThat(segment.b().receives()).containsExactly("0 RECV 18");
  }

  @Test
  void destroyedFlowTakesNothing() {
    Flow flow = segment.b().steer(FlowAttr.normal());
    segment.b().postRecv(0);

    flow.close();
    sendToB();

    assertThat(segment.b().receives()).isEmpty();
  }

  @Test
  void flowOutlivesTheResetOfItsQueuePair() {
    segment.b().steer(FlowAttr.normal());

    segment.b().restart();
    segment.b().postRecv(0);
    sendToB();

    assertThat(segment.b().receives()).containsExactly("0 RECV 18");
  }

  private static void takeAll(RawHost host) {
    host.steer(FlowAttr.normal());
    host.postRecv(0);
  }

  private void postOn(QueuePair qp, int slot) {
    segment.b().postRecv(qp, slot, RawHost.SLOT_BYTES);
  }

  private void sendToB() {
    send(Frames.PLAIN.bytes());
  }

  private void send(byte[] frame) {
    segment.a().send(1, frame);
    segment.drain();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowFlag;
import io.queuepair.verbs.QueuePair;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which device and which queue pair gets a frame: ibv_create_flow(3). */
final class FlowSteeringTest {
  private static final String GROUP = "01:00:5e:01:01:01";
  private static final String UNKNOWN_MAC = "02:00:0a:00:00:99";

  @AutoClose private final Segment segment = new Segment();
  private final RawHost b = segment.b();

  @Test
  void broadcastReachesAllOthersButNotTheSender() {
    takeAll(segment.a());
    takeAll(b);
    takeAll(segment.c());

    send(Frames.PLAIN.to("ff:ff:ff:ff:ff:ff"));

    assertThat(segment.a().receives()).isEmpty();
    assertThat(b.receives()).containsExactly("0 RECV 18");
    assertThat(segment.c().receives()).containsExactly("0 RECV 18");
  }

  @Test
  void defaultFlowTakesFramesForAnybody() {
    b.steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    b.postRecv(0);
    b.postRecv(1);

    send(Frames.PLAIN.to(UNKNOWN_MAC));
    send(Frames.PLAIN.to(GROUP));

    assertThat(b.receives()).containsExactly("0 RECV 18", "1 RECV 18");
  }

  @Test
  void multicastDefaultFlowTakesMulticastOnlyAndBeforeTheOtherDefault() {
    QueuePair multicast = b.createQp();
    b.steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    multicast.createFlow(FlowAttr.of(FlowAttrType.MC_DEFAULT));
    postOn(multicast, 0);
    b.postRecv(1);

    send(Frames.PLAIN.to(GROUP));
    sendToB();

    assertThat(b.receivers()).containsExactly(multicast.qpNum(), b.qp().qpNum());
  }

  @ParameterizedTest
  @CsvSource({"2, 1, true", "0, 0, false"})
  void lowerPriorityNumberIsAskedFirstAndThenTheOlderFlow(int older, int younger, boolean second) {
    QueuePair other = b.createQp();
    b.steer(FlowAttr.normal().withPriority(older));
    other.createFlow(FlowAttr.normal().withPriority(younger));
    postOn(other, 0);
    b.postRecv(1);

    sendToB();

    assertThat(b.receivers()).containsExactly((second ? other : b.qp()).qpNum());
  }

  @Test
  void flowThatDoesNotTrapLetsTheNextOneHaveTheFrameToo() {
    QueuePair behind = b.createQp();
    b.steer(FlowAttr.normal().withFlags(FlowFlag.DONT_TRAP));
    behind.createFlow(FlowAttr.normal().withPriority(1));
    b.postRecv(0);
    postOn(behind, 1);

    sendToB();

    assertThat(b.receives()).containsExactly("0 RECV 18", "1 RECV 18");
    assertThat(b.slot(0, 18)).isEqualTo(Frames.PLAIN.bytes());
    assertThat(b.slot(1, 18)).isEqualTo(Frames.PLAIN.bytes());
  }

  @Test
  void flowOutlivesTheResetOfItsQueuePair() {
    b.steer(FlowAttr.normal());

    b.restart();
    b.postRecv(0);
    sendToB();

    assertThat(b.receives()).containsExactly("0 RECV 18");
  }

  private static void takeAll(RawHost host) {
    host.steer(FlowAttr.normal());
    host.postRecv(0);
  }

  private void postOn(QueuePair qp, int slot) {
    b.postRecv(qp, slot, RawHost.SLOT_BYTES);
  }

  private void sendToB() {
    send(Frames.PLAIN.bytes());
  }

  private void send(byte[] frame) {
    segment.a().send(1, frame);
    segment.drain();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Report of a network about all its devices. */
@Timeout(60)
final class EmulatorReportTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private static QueuePair qpOn(CompletionQueue cq) {
    return cq.context().allocPd().createQp(QpInitAttr.rc(cq, QpCap.of(8)));
  }

  /** Every network tells it, also those whose waits last for ever. */
  private static void assertTells(Fabric network, String addressA, String addressB) {
    try (Emulator emulator = Emulator.on(network)) {
      assertThat(emulator.report()).isEmpty();
      QueuePair a = qpOn(emulator.addDevice(addressA).open().createCq(8));
      QueuePair b = qpOn(emulator.addDevice(addressB).open().createCq(8));
      Emulator.connect(a, b);
      b.postRecv(RecvWr.of(1));

      assertThat(emulator.report().lines())
          .containsExactly(
              String.format("qp0: QP 0x%06x (RC, RTS): nothing is posted", a.qpNum()),
              String.format(
                  "qp1: QP 0x%06x (RC, RTS): 1 receive posted; nothing comes from QP 0x%06x of %s",
                  b.qpNum(), a.qpNum(), addressA));
    }
  }

  @Test
  void realTimeSaysWhatEachQueuePairWaitsFor() {
    assertTells(InMemoryFabric.realTime(), "10.0.0.1", "10.0.0.2");
  }

  @Test
  void udpSaysWhatEachQueuePairWaitsFor() {
    UdpOptions options = UdpOptions.defaults();
    List<String> free = options.freeLoopbackAddresses(2);
    assertTells(UdpFabric.open(options), free.get(0), free.get(1));
  }

  @Test
  void theFaultPlanAndTheDropsOfAllDevicesAreTold() {
    try (Emulator emulator =
        Emulator.inMemory().injectFaults(FaultPlan.parse("drop 1st SEND_ONLY"))) {
      EmulatedDevice deviceA = emulator.addDevice("10.0.0.1");
      EmulatedDevice deviceB = emulator.addDevice("10.0.0.2");
      QueuePair a = qpOn(deviceA.open().createCq(8));
      QueuePair b = qpOn(deviceB.open().createCq(8));
      Emulator.connect(a, b);
      a.postSend(SendWr.send(1));
      deviceA.setPortUp(1, false);
      deviceB.setPortUp(1, false);
      b.postSend(SendWr.send(2));
      emulator.run(Duration.ofMillis(100));

      Map<String, Long> ofA = deviceA.dropCounts();
      Map<String, Long> ofB = deviceB.dropCounts();
      assertThat(ofA).containsOnlyKeys("PORT_DOWN");
      assertThat(ofB).containsOnlyKeys("PORT_DOWN");
      assertThat(emulator.dropCounts())
          .isEqualTo(Map.of("PORT_DOWN", ofA.get("PORT_DOWN") + ofB.get("PORT_DOWN")));
      assertThat(emulator.report())
          .contains("qp0: port 1 is down")
          .contains("qp1: port 1 is down")
          .endsWith("faults: 1 time drop 1st SEND_ONLY");
    }
  }

  @Test
  void eventsThatWereTakenAndNotAcknowledgedAreTold() {
    Context context = emulator.addDevice("10.0.0.1").open();
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(8, channel);
    QueuePair a = qpOn(cq);
    Emulator.connect(a, qpOn(emulator.addDevice("10.0.0.2").open().createCq(8)));
    cq.reqNotify(false);
    a.modify(QpAttr.to(QpState.ERR));
    a.postSend(SendWr.send(1));
    assertThat(channel.getCqEvent()).isSameAs(cq);
    a.modify(QpAttr.to(QpState.RESET));
    String ofCq =
        "CQ of qp0 (8 entries): 1 completion event taken and not acknowledged"
            + " (ibv_ack_cq_events), for which ibv_destroy_cq waits";

    assertThat(emulator.report().lines()).contains(ofCq);
    cq.ackEvents(1);
    assertThat(emulator.report()).doesNotContain("acknowledged");
  }

  /** A queue pair that drains in SQD raises an event if it was asked to. */
  @Test
  void asynchronousEventsThatWereNotAcknowledgedAreTold() {
    Context context = emulator.addDevice("10.0.0.1").open();
    QueuePair a = qpOn(context.createCq(8));
    Emulator.connect(a, qpOn(emulator.addDevice("10.0.0.2").open().createCq(8)));
    a.modify(QpAttr.to(QpState.SQD).enSqdAsyncNotify(true));
    AsyncEvent event = context.getAsyncEvent();

    assertThat(emulator.report().lines())
        .contains(
            "QP 0x000011 of qp0 (RC, SQD): 1 asynchronous event taken and not acknowledged"
                + " (ibv_ack_async_event), for which its destruction waits");
    context.ackAsyncEvent(event);
    assertThat(emulator.report()).doesNotContain("acknowledged");
  }

  @Test
  void anArmedQueueWithCompletionsThatRaiseNoEventIsTold() {
    Context context = emulator.addDevice("10.0.0.1").open();
    CompletionChannel channel = context.createCompChannel();
    CompletionQueue cq = context.createCq(8, channel);
    QueuePair a = qpOn(cq);
    Emulator.connect(a, qpOn(emulator.addDevice("10.0.0.2").open().createCq(8)));
    a.modify(QpAttr.to(QpState.ERR));
    a.postSend(SendWr.send(1));
    a.postSend(SendWr.send(2));
    cq.reqNotify(false); // Too late: only what is completed from now on raises an event.
    String line =
        "CQ of qp0 (8 entries): armed, with 2 completions not polled; no event comes for what was"
            + " there before the arming, or is not solicited";

    assertThat(emulator.report().lines()).contains(line);
    assertThatThrownBy(channel::getCqEvent)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining(line);
    assertThat(cq.poll(8)).hasSize(2);
    assertThat(emulator.report()).doesNotContain("armed");
  }

  @Test
  void connectionManagerEventsThatWereNotAcknowledgedAreTold() {
    RdmaCm host = emulator.rdmaCm(emulator.addDevice("10.0.0.1"));
    emulator.addDevice("10.0.0.2");
    RdmaEventChannel channel = host.createEventChannel();
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress("10.0.0.2", 7471), Duration.ofSeconds(1));
    RdmaCmEvent event = channel.getCmEvent();

    assertThat(emulator.report().lines())
        .contains(
            id
                + ": 1 event taken and not acknowledged (rdma_ack_cm_event), for which"
                + " rdma_destroy_id waits");
    event.ack();
    assertThat(emulator.report()).doesNotContain("acknowledged");
    id.close();
  }

  @Test
  void theMisusesOfAllDevicesAreTold() {
    EmulatedDevice first = emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.1");
    EmulatedDevice second = emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.2");
    assertThat(second.open().numCompVectors()).isOne();
    assertThat(first.open().numCompVectors()).isOne();
    assertThat(emulator.sanitizerFindings()).isEmpty();

    emulator.close();

    List<SanitizerFinding> all = new ArrayList<>(first.sanitizerFindings());
    all.addAll(second.sanitizerFindings());
    assertThat(emulator.sanitizerFindings()).hasSize(2).isEqualTo(all);
  }
}

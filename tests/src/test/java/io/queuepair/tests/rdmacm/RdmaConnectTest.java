// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections are made, used and ended as librdmacm does it. */
final class RdmaConnectTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private static byte[] filled(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 0x5a);
    return bytes;
  }

  @Test
  void bothSidesGetThePrivateDataAndTheParametersAsTheySeeThem() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();

    active.connect(RdmaConnParam.of(2, 3).withPrivateData(filled(56)));

    RdmaCmEvent request = hosts.channelB.getCmEvent();
    assertThat(request.listenId()).isSameAs(listener);
    assertThat(RdmaHosts.bytes(request.conn().privateData())).isEqualTo(filled(56));
    assertThat(request.conn().responderResources()).isEqualTo(3);
    assertThat(request.conn().initiatorDepth()).isEqualTo(2);
    assertThat(request.conn().qpNum()).isEqualTo(active.qp().qpNum());
    RdmaCmId passive = request.id();
    assertThat(passive.peerAddr().getPort()).isEqualTo(active.srcPort());
    assertThat(passive.srcPort()).isEqualTo(RdmaHosts.PORT);
    request.ack();
    passive.createQp(null, RdmaHosts.attr(passive.qpType()));
    passive.accept(RdmaConnParam.of(1, 2).withPrivateData(filled(196)));

    RdmaCmEvent established = RdmaHosts.next(hosts.channelA);
    assertThat(established.event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
    assertThat(RdmaHosts.bytes(established.conn().privateData())).isEqualTo(filled(196));
    assertThat(established.conn().responderResources()).isEqualTo(2);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.RTS);
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
  }

  @Test
  void aConnectionCarriesMessages() {
    RdmaCmId[] ends = hosts.connected();
    ByteBuffer sent = ByteBuffer.allocateDirect(16).putLong(0, 42);
    ByteBuffer received = ByteBuffer.allocateDirect(16);
    MemoryRegion from = ends[0].regMsgs(sent);
    MemoryRegion to = ends[1].regMsgs(received);
    ends[1].postRecv(7, to.sge());

    ends[0].postSend(8, from.sge());

    assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(ends[1].getRecvComp().wrId()).isEqualTo(7);
    assertThat(received.getLong(0)).isEqualTo(42);
  }

  @Test
  void disconnectingEndsBothSidesAndTheTimeWait() {
    RdmaCmId[] ends = hosts.connected();

    ends[0].disconnect();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
    ends[1].disconnect();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, ends[0]);
    assertThat(ends[0].qp().query().qpState()).isEqualTo(QpState.ERR);
    assertThat(ends[1].qp().query().qpState()).isEqualTo(QpState.ERR);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.TIMEWAIT_EXIT, ends[0]);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.TIMEWAIT_EXIT, ends[1]);
    ends[0].close();
    ends[1].close();
  }

  @Test
  void aRejectionByTheProgramHasItsBytes() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));

    hosts.request().reject(filled(148));

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(28);
    assertThat(RdmaHosts.bytes(rejected.conn().privateData())).isEqualTo(filled(148));
    assertThat(rejected.explain()).contains("its program rejected the connection");
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  void nobodyListensIsReasonEight() {
    RdmaCmId active = hosts.active();

    active.connect();

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(8);
  }

  @Test
  void closingAnIdDisconnectsIt() {
    RdmaCmId[] ends = hosts.connected();

    ends[0].close();

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
    ends[1].close();
  }

  @Test
  void theSanitizerFindsNothingInAProgramThatClosesItsIds() {
    DeviceProfile profile = DeviceProfile.standard().sanitized();
    RdmaHosts sanitized =
        new RdmaHosts(InMemoryFabric.virtualTime(), profile, "10.0.0.1", "10.0.0.2");
    RdmaCmId[] ends = sanitized.connected();
    ends[0].close();
    RdmaHosts.expect(sanitized.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
    ends[1].close();

    sanitized.close();

    assertThat(sanitized.emulator.sanitizerFindings()).isEmpty();
  }
}

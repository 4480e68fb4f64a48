// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * P_Keys and Q_Keys between two devices. P_Keys match when their low 15 bits are equal and not zero
 * and at least one end is a full member (bit 15). A Q_Key must be that of the receiving queue pair.
 */
final class ProtectionKeysTest {
  private static final int QKEY = 0x1234;

  /** Slot 0 the default partition, 1 and 2 full members, 3 a limited member of that in 1. */
  private static final DeviceProfile PROFILE =
      DeviceProfile.standard().withPkeys(0xffff, 0x8001, 0x8002, 0x0001);

  private final Fabric fabric = InMemoryFabric.virtualTime();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final KeySide a = new KeySide("10.0.0.1");
  private final KeySide b = new KeySide("10.0.0.2");

  @ParameterizedTest
  @CsvSource({"0,0", "1,1", "2,2", "1,3", "3,1"})
  void aConnectionWorksBetweenMembersOfAPartition(int ofA, int ofB) {
    connect(QpType.RC, ofA, ofB);
    b.qp.postRecv(RecvWr.of(2));

    a.qp.postSend(SendWr.send(1));

    assertThat(emulator.await(a.cq).status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(b.badPkeys()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,2", "3,3", "3,2"})
  void aReliableConnectionFailsBetweenOthers(int ofA, int ofB) {
    connect(QpType.RC, ofA, ofB);
    b.qp.postRecv(RecvWr.of(2));

    a.qp.postSend(SendWr.send(1));

    assertThat(emulator.await(a.cq).status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(b.cq.poll(1)).isEmpty();
    // The first packet and three retries.
    assertThat(b.badPkeys()).isEqualTo(1 + Attributes.RETRY_CNT);
  }

  @ParameterizedTest
  @CsvSource({"0,1", "3,3"})
  void anUnreliableConnectionDropsInSilence(int ofA, int ofB) {
    connect(QpType.UC, ofA, ofB);
    b.qp.postRecv(RecvWr.of(2));

    a.qp.postSend(SendWr.send(1));
    drain();

    assertThat(a.cq.poll(1)).singleElement().matches(wc -> wc.isSuccess());
    assertThat(b.cq.poll(1)).isEmpty();
    assertThat(b.badPkeys()).isOne();
    assertThat(b.qp.query().qpState()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @CsvSource({"0,0,true", "1,3,true", "0,1,false", "3,3,false"})
  void aDatagramArrivesWithinItsPartition(int ofA, int ofB, boolean arrives) {
    connect(QpType.UD, ofA, ofB);

    sendDatagram(QKEY);

    assertThat(b.cq.poll(1)).hasSize(arrives ? 1 : 0);
    assertThat(b.badPkeys()).isEqualTo(arrives ? 0 : 1);
  }

  @Test
  void theQkeyOfTheReceiverCanChange() {
    connect(QpType.UD, 0, 0);
    b.qp.modify(new QpAttr().qkey(QKEY + 1));

    sendDatagram(QKEY);
    sendDatagram(QKEY + 1);

    assertThat(b.cq.poll(2)).hasSize(1);
    assertThat(b.context.queryPort(1).qkeyViolCntr()).isOne();
  }

  private void connect(QpType type, int indexOfA, int indexOfB) {
    a.qp = a.pd.createQp(QpInitAttr.of(type, a.cq, QpCap.of(8)));
    b.qp = b.pd.createQp(QpInitAttr.of(type, b.cq, QpCap.of(8)));
    a.connect(b, indexOfA);
    b.connect(a, indexOfB);
  }

  private void sendDatagram(int qkey) {
    MemoryRegion target =
        b.pd.regMr(ByteBuffer.allocateDirect(64), EnumSet.of(AccessFlag.LOCAL_WRITE));
    b.qp.postRecv(RecvWr.of(2, target.sge()));
    AddressHandle ah = a.pd.createAh(AhAttr.to(b.context.queryGid(1, 0)));
    a.qp.postSend(SendWr.send(1).to(ah, b.qp.qpNum(), qkey));
    drain();
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  /** One device with one queue pair. */
  private final class KeySide {
    private final Context context;
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private QueuePair qp;

    KeySide(String address) {
      context = emulator.addDevice(PROFILE, address).open();
      pd = context.allocPd();
      cq = context.createCq(16);
    }

    int badPkeys() {
      return context.queryPort(1).badPkeyCntr();
    }

    void connect(KeySide peer, int pkeyIndex) {
      QpType type = qp.initAttr().qpType();
      QpAttr init = Attributes.init(type).pkeyIndex(pkeyIndex);
      qp.modify(type == QpType.UD ? init.qkey(QKEY) : init);
      qp.modify(Attributes.rtr(type, peer.context.queryGid(1, 0), peer.qp.qpNum(), 7));
      qp.modify(Attributes.rts(type, 7));
    }
  }
}

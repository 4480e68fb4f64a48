// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.profile.SanitizerFindingKind;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.ThreadDomain;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

final class SanitizerTest {
  private static final byte POISON = (byte) 0xdb;
  private static final String LOCAL_A = "127.0.0.88";

  @AutoClose private final SanitizedProgram program = new SanitizedProgram();

  @Test
  void hasNothingToSayAboutACorrectProgram() {
    program.cq.reqNotify(false);
    program.receive(1);
    program.send(2);
    program.channel.getCqEvent();
    program.cq.ackEvents(1);
    program.takeCompletions(2);
    program.a.postSend(
        SendWr.rdmaRead(3, program.target.addr(), program.target.rkey(), program.source.sge()));
    program.takeCompletions(1);
    SanitizedProgram.change(program.target);
    program.closeAll();

    program.assertFinds();
  }

  @Test
  void saysWhatWhereAndHowToMendIt() {
    program.receive(1);
    program.send(2);
    program.source.buffer().put(63, (byte) 1);
    program.takeCompletions(2);

    program.assertFinds(SanitizerFindingKind.SEND_BUFFER_CHANGED);
    SanitizerFinding finding = program.findings().get(0);
    assertThat(finding.what()).contains("wr_id 2").contains("QP " + program.a.qpNum());
    assertThat(finding.where()).contains("SanitizedProgram.java:");
    assertThat(finding.toString()).contains("leave the memory of a send alone");
  }

  @Test
  void givesItsListenerEachFinding() {
    List<SanitizerFinding> heard = new ArrayList<>();
    EmulatedDevice device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice(DeviceProfile.standard().sanitized(heard::add), "10.0.0.1");
      device.open().allocPd();
      assertThat(heard).isEmpty();
    }

    assertThat(heard).hasSize(2).isEqualTo(device.sanitizerFindings());
  }

  @Test
  void isOffUnlessAskedFor() {
    EmulatedDevice device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice("10.0.0.1");
      device.open();
    }

    assertThat(device.sanitizerFindings()).isEmpty();
  }

  @Test
  void letsInlineDataBeChangedAtOnce() {
    program.receive(1);
    program.a.postSend(
        SendWr.send(2, program.source.sge(0, 64)).withFlags(SendFlag.INLINE, SendFlag.SIGNALED));
    SanitizedProgram.change(program.source);
    program.takeCompletions(2);

    program.assertFinds();
  }

  @Test
  void findsAChangeOfAnUnsignaledSend() {
    program.receive(1);
    program.a.postSend(SendWr.send(2, program.source.sge(0, 64)).withFlags());
    SanitizedProgram.change(program.source);
    program.takeCompletions(1);
    program.a.postSend(program.write(3, SanitizedProgram.REGION_BYTES));
    program.takeCompletions(1);

    program.assertFinds(SanitizerFindingKind.SEND_BUFFER_CHANGED);
  }

  @Test
  void doesNotTakeAWriteOfAPeerForOneOfTheApplication() {
    program.a.postSend(program.write(1, SanitizedProgram.REGION_BYTES));
    program.b.postSend(
        SendWr.rdmaWrite(
            2, program.source.addr(), program.source.rkey(), program.target.sge(0, 8)));
    program.takeCompletions(2);

    program.assertFinds();
  }

  @Test
  void poisonsWhereDataIsExpected() {
    program.b.postRecv(RecvWr.of(1, program.target.sge(8, 8)));

    byte[] bytes = new byte[10];
    program.target.buffer().get(7, bytes);
    assertThat(bytes).startsWith(0, POISON).endsWith(POISON, 0);
  }

  @Test
  void findsAWriteIntoAPostedReceive() {
    program.receive(1);
    SanitizedProgram.change(program.target);
    program.send(2);
    program.takeCompletions(2);

    program.assertFinds(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
  }

  @Test
  void findsAWriteIntoAReceiveThatIsFlushed() {
    program.receive(1);
    SanitizedProgram.change(program.target);
    program.b.modify(QpAttr.to(QpState.ERR));
    program.takeCompletions(1);

    program.assertFinds(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
  }

  @Test
  void findsAWriteIntoTheTargetOfARead() {
    program.a.postSend(
        SendWr.rdmaRead(
            1, program.target.addr(), program.target.rkey(), program.source.sge(0, 64)));
    SanitizedProgram.change(program.source);
    program.takeCompletions(1);

    program.assertFinds(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
  }

  @Test
  void findsAWriteIntoASharedReceive() {
    SharedReceiveQueue srq = program.pd.createSrq(SrqAttr.of(4, 1));
    srq.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
    SanitizedProgram.change(program.target);
    program.a.postSend(program.write(2, 8));
    program.takeCompletions(1);

    program.assertFinds(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
  }

  @Test
  void findsMemoryDeregisteredInFlight() {
    program.receive(1);
    program.target.close();

    program.assertFinds(SanitizerFindingKind.MEMORY_DEREGISTERED_IN_FLIGHT);
    assertThat(program.findings().get(0).what()).contains("receive wr_id 1");
  }

  @Test
  void forgetsTheWorkOfAQueuePairThatIsReset() {
    program.receive(1);
    program.b.modify(QpAttr.to(QpState.RESET));
    program.target.close();

    program.assertFinds();
  }

  @Test
  void forgetsTheSharedReceiveThatAResetInterrupts() {
    SharedReceiveQueue srq = program.pd.createSrq(SrqAttr.of(4, 1));
    QueuePair taker =
        program.pd.createQp(QpInitAttr.rc(program.cq, new QpCap(1, 0, 1, 0, 0)).withSrq(srq));
    program.a.modify(QpAttr.to(QpState.RESET));
    Emulator.connect(program.a, taker);
    srq.postRecv(RecvWr.of(1, program.target.sge()));
    program.a.postSend(SendWr.send(2, program.source.sge()));
    while (program.target.buffer().get(0) == POISON) {
      program.fabric.scheduler().runNext();
    }
    assertThat(program.target.buffer().get(SanitizedProgram.REGION_BYTES - 1)).isEqualTo(POISON);

    taker.modify(QpAttr.to(QpState.RESET));
    program.target.close();

    program.assertFinds();
  }

  @Test
  void leavesAReceiveIntoNothingAlone() {
    MemoryRegion nothing = program.pd.allocNullMr();
    program.b.postRecv(RecvWr.of(1, new Sge(0, Integer.MAX_VALUE, nothing.lkey())));
    program.send(2);
    program.takeCompletions(2);

    program.assertFinds();
  }

  @Test
  void findsASendQueueThatCanNeverBeReclaimed() {
    for (int i = 0; i < SanitizedProgram.SEND_WRS; i++) {
      program.assertFinds();
      program.a.postSend(program.write(i, 8).withFlags());
    }

    program.assertFinds(SanitizerFindingKind.SEND_QUEUE_NEVER_RECLAIMED);
  }

  @Test
  void findsACompletionQueueThatIsTooSmall() {
    try (SanitizedProgram small = new SanitizedProgram(2)) {
      small.receive(1);
      small.receive(2);
      small.assertFinds();
      small.receive(3);
      small.receive(4);

      small.assertFinds(SanitizerFindingKind.COMPLETION_QUEUE_TOO_SMALL);
      assertThat(small.findings().get(0).what()).contains("of 2 entries").contains("expects 3");
    }
  }

  @Test
  void findsWhatIsLeftToTheContext() {
    program.cq.reqNotify(false);
    program.receive(1);
    program.send(2);
    program.channel.getCqEvent();
    program.takeCompletions(2);
    program.a.close();
    program.b.close();
    program.context.close();

    assertThat(program.findings())
        .extracting(finding -> finding.kind() + " " + finding.what())
        .containsExactly(
            "OBJECT_NOT_CLOSED a protection domain was never closed",
            "OBJECT_NOT_CLOSED a completion channel was never closed",
            "OBJECT_NOT_CLOSED a completion queue was never closed",
            "EVENT_NOT_ACKNOWLEDGED 1 event(s) of a completion queue were taken and not"
                + " acknowledged",
            "OBJECT_NOT_CLOSED a memory region was never closed",
            "OBJECT_NOT_CLOSED a memory region was never closed");
    assertThat(program.findings()).allMatch(one -> one.where().contains("Program.java"));
  }

  @Test
  void findsAContextThatIsLeftToTheEmulator() {
    EmulatedDevice device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.1");
      device.open();
    }

    assertThat(device.sanitizerFindings())
        .extracting(SanitizerFinding::what)
        .containsExactly("a context was never closed");
  }

  /** Another thread posts a receive, before this one does. */
  private static void postByTurns(SharedReceiveQueue srq, MemoryRegion region)
      throws InterruptedException {
    Thread other = new Thread(() -> srq.postRecv(RecvWr.of(2, region.sge(8, 8))), "other");
    other.start();
    other.join();
    srq.postRecv(RecvWr.of(3, region.sge(16, 8)));
  }

  @Test
  void findsAThreadThatEntersAThreadDomainWhileAnotherIsInside() throws InterruptedException {
    ThreadDomain td = program.context.allocTd();
    ProtectionDomain parent = program.context.allocParentDomain(program.pd, td);
    SharedReceiveQueue srq = parent.createSrq(SrqAttr.of(8, 1));
    srq.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
    postByTurns(srq, program.target);
    QpInitAttr attr = QpInitAttr.rc(program.cq, QpCap.of(1));
    WrBatch batch =
        parent.createQpEx(QpInitAttrEx.of(attr).withSendOps(SendOpsFlag.WITH_SEND)).wrStart();
    program.assertFinds();

    postByTurns(srq, program.source);
    batch.abort();

    program.assertFinds(SanitizerFindingKind.THREAD_DOMAIN_SHARED);
    assertThat(program.findings().get(0).what()).contains("is used by other while");
  }

  /** A sanitized device and another one, with one queue pair each. */
  private static final class TwoDevices implements AutoCloseable {
    private static final int READS = 4;

    final Emulator emulator;
    final EmulatedDevice device;
    final QueuePair a;
    final QueuePair b;

    TwoDevices(Emulator emulator, String addressOfA, String addressOfB) {
      this.emulator = emulator;
      device = emulator.addDevice(DeviceProfile.standard().sanitized(), addressOfA);
      a = queuePair(device);
      b = queuePair(emulator.addDevice(addressOfB));
      toReadyToReceive(a, b);
    }

    TwoDevices() {
      this(Emulator.inMemory(), "10.0.0.1", "10.0.0.2");
    }

    private static QueuePair queuePair(EmulatedDevice device) {
      ProtectionDomain pd = device.open().allocPd();
      return pd.createQp(QpInitAttr.rc(pd.context().createCq(8), QpCap.of(8)));
    }

    static void toReadyToReceive(QueuePair qp, QueuePair peer) {
      Gid gid = peer.pd().context().queryGid(1, 0);
      qp.modify(Attributes.init(QpType.RC));
      qp.modify(Attributes.rtr(QpType.RC, gid, peer.qpNum(), 0).maxDestRdAtomic(READS));
    }

    TwoDevices withPeer() {
      toReadyToReceive(b, a);
      return this;
    }

    void toReadyToSend(int maxRdAtomic) {
      a.modify(Attributes.rts(QpType.RC, 0).maxRdAtomic(maxRdAtomic));
    }

    void read() {
      MemoryRegion from = b.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.REMOTE_READ);
      MemoryRegion to = a.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE);
      a.postSend(SendWr.rdmaRead(1, from.addr(), from.rkey(), to.sge()));
      assertThat(emulator.await(a.initAttr().sendCq()).isSuccess()).isTrue();
    }

    void assertFoundOnce() {
      String what =
          String.format(
              "max_rd_atomic of QP %d is 5, and its peer, QP %d, has max_dest_rd_atomic 4",
              a.qpNum(), b.qpNum());
      assertThat(device.sanitizerFindings())
          .singleElement()
          .matches(found -> found.kind() == SanitizerFindingKind.MAX_RD_ATOMIC_TOO_LARGE)
          .matches(found -> found.what().equals(what), what)
          .matches(found -> found.where().contains("SanitizerTest.java:"));
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  @Test
  void findsMoreReadsAtATimeThanThePeerHasResourcesFor() {
    try (TwoDevices two = new TwoDevices().withPeer()) {
      two.toReadyToSend(TwoDevices.READS + 1);

      two.assertFoundOnce();
      two.read();
      two.assertFoundOnce();
    }
  }

  @Test
  void comparesNothingWithAPeerThatWasReset() {
    try (TwoDevices two = new TwoDevices().withPeer()) {
      two.b.modify(QpAttr.to(QpState.RESET));
      two.toReadyToSend(TwoDevices.READS + 1);

      assertThat(two.device.sanitizerFindings()).isEmpty();
    }
  }

  @Test
  void findsThemOverUdp() {
    UdpOptions options = UdpOptions.defaults().withPort(FreePort.of(LOCAL_A));
    try (TwoDevices two =
        new TwoDevices(Emulator.on(UdpFabric.open(options)), LOCAL_A, "127.0.0.89")) {
      two.withPeer();
      two.toReadyToSend(TwoDevices.READS + 1);

      two.assertFoundOnce();
    }
  }
}

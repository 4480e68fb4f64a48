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
import org.junit.jupiter.api.Test;

final class SanitizerTest {
  private static final byte POISON = (byte) 0xdb;
  private static final String LOCAL_A = "127.0.0.88";

  @Test
  void hasNothingToSayAboutACorrectProgram() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.cq.reqNotify(false);
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.channel.getCqEvent();
      program.cq.ackEvents(1);
      program.takeCompletions(2);
      program.a.postSend(
          SendWr.rdmaRead(3, program.target.addr(), program.target.rkey(), program.source.sge()));
      program.takeCompletions(1);
      program.target.buffer().put(0, (byte) 1);
      program.closeAll();

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void saysWhatWhereAndHowToMendIt() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.source.buffer().put(63, (byte) 1);
      program.takeCompletions(2);

      assertThat(program.findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(SanitizerFindingKind.SEND_BUFFER_CHANGED);
                assertThat(finding.what()).contains("wr_id 2").contains("QP " + program.a.qpNum());
                assertThat(finding.where()).contains("SanitizerTest.java:");
                assertThat(finding.toString()).contains("leave the memory of a send alone");
              });
    }
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
  void letsInlineDataBeChangedAtOnce() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(
          SendWr.send(2, program.source.sge(0, 64)).withFlags(SendFlag.INLINE, SendFlag.SIGNALED));
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(2);

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void findsAChangeOfAnUnsignaledSend() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)).withFlags());
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(1);
      program.a.postSend(
          SendWr.rdmaWrite(3, program.target.addr(), program.target.rkey(), program.source.sge()));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.SEND_BUFFER_CHANGED);
    }
  }

  @Test
  void doesNotTakeAWriteOfAPeerForOneOfTheApplication() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.a.postSend(
          SendWr.rdmaWrite(1, program.target.addr(), program.target.rkey(), program.source.sge()));
      program.b.postSend(
          SendWr.rdmaWrite(
              2, program.source.addr(), program.source.rkey(), program.target.sge(0, 8)));
      program.takeCompletions(2);

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void poisonsWhereDataIsExpected() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(8, 8)));

      assertThat(program.target.buffer().get(7)).isZero();
      assertThat(program.target.buffer().get(8)).isEqualTo(POISON);
      assertThat(program.target.buffer().get(15)).isEqualTo(POISON);
      assertThat(program.target.buffer().get(16)).isZero();
    }
  }

  @Test
  void findsAWriteIntoAPostedReceive() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(5, (byte) 1);
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoAReceiveThatIsFlushed() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(5, (byte) 1);
      program.b.modify(QpAttr.to(QpState.ERR));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoTheTargetOfARead() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.a.postSend(
          SendWr.rdmaRead(
              1, program.target.addr(), program.target.rkey(), program.source.sge(0, 64)));
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoASharedReceive() {
    try (SanitizedProgram program = new SanitizedProgram();
        SharedReceiveQueue srq = program.pd.createSrq(new SrqAttr(4, 1, 0))) {
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(0, (byte) 1);
      program.a.postSend(
          SendWr.rdmaWrite(
              2, program.target.addr(), program.target.rkey(), program.source.sge(0, 8)));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void leavesReceivesAloneThatShareTheirMemory() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.b.postRecv(RecvWr.of(2, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(3, program.source.sge(0, 64)));
      program.takeCompletions(2);
      program.target.buffer().put(0, (byte) 1);
      program.a.postSend(SendWr.send(4, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void findsMemoryDeregisteredInFlight() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.close();

      assertThat(program.kinds())
          .containsExactly(SanitizerFindingKind.MEMORY_DEREGISTERED_IN_FLIGHT);
      assertThat(program.findings().get(0).what()).contains("receive wr_id 1");
    }
  }

  @Test
  void forgetsTheWorkOfAQueuePairThatIsReset() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.b.modify(QpAttr.to(QpState.RESET));
      program.target.close();

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void forgetsTheSharedReceiveThatAResetInterrupts() {
    try (SanitizedProgram program = new SanitizedProgram();
        SharedReceiveQueue srq = program.pd.createSrq(new SrqAttr(4, 1, 0));
        QueuePair taker =
            program.pd.createQp(QpInitAttr.rc(program.cq, new QpCap(1, 0, 1, 0, 0)).withSrq(srq))) {
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

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void leavesAReceiveIntoNothingAlone() {
    try (SanitizedProgram program = new SanitizedProgram();
        MemoryRegion nothing = program.pd.allocNullMr()) {
      program.b.postRecv(RecvWr.of(1, new Sge(0, Integer.MAX_VALUE, nothing.lkey())));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void findsASendQueueThatCanNeverBeReclaimed() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      for (int i = 0; i < SanitizedProgram.SEND_WRS; i++) {
        program.a.postSend(
            SendWr.rdmaWrite(
                    i, program.target.addr(), program.target.rkey(), program.source.sge(0, 8))
                .withFlags());
      }

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.SEND_QUEUE_NEVER_RECLAIMED);
    }
  }

  @Test
  void isContentWithOneSignaledSendInAQueue() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      for (int i = 0; i < 3 * SanitizedProgram.SEND_WRS; i++) {
        SendWr write =
            SendWr.rdmaWrite(
                i, program.target.addr(), program.target.rkey(), program.source.sge(0, 8));
        boolean isSignaled = i % SanitizedProgram.SEND_WRS == SanitizedProgram.SEND_WRS - 1;
        program.a.postSend(isSignaled ? write : write.withFlags());
        program.takeCompletions(isSignaled ? 1 : 0);
      }

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void findsACompletionQueueThatIsTooSmall() {
    try (SanitizedProgram program = new SanitizedProgram(2)) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      program.b.postRecv(RecvWr.of(2, program.target.sge(8, 8)));
      assertThat(program.findings()).isEmpty();
      program.b.postRecv(RecvWr.of(3, program.target.sge(16, 8)));
      program.b.postRecv(RecvWr.of(4, program.target.sge(24, 8)));

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.COMPLETION_QUEUE_TOO_SMALL);
      assertThat(program.findings().get(0).what()).contains("of 2 entries").contains("expects 3");
    }
  }

  @Test
  void findsWhatIsLeftToTheContext() {
    try (SanitizedProgram program = new SanitizedProgram()) {
      program.cq.reqNotify(false);
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.channel.getCqEvent();
      program.takeCompletions(2);
      program.a.close();
      program.b.close();
      program.context.close();

      assertThat(program.kinds())
          .containsExactly(
              SanitizerFindingKind.OBJECT_NOT_CLOSED,
              SanitizerFindingKind.OBJECT_NOT_CLOSED,
              SanitizerFindingKind.OBJECT_NOT_CLOSED,
              SanitizerFindingKind.EVENT_NOT_ACKNOWLEDGED,
              SanitizerFindingKind.OBJECT_NOT_CLOSED,
              SanitizerFindingKind.OBJECT_NOT_CLOSED);
      assertThat(program.findings())
          .extracting(finding -> finding.what().replaceAll(" was never closed", ""))
          .containsExactly(
              "a protection domain",
              "a completion channel",
              "a completion queue",
              "1 event(s) of a completion queue were taken and not acknowledged",
              "a memory region",
              "a memory region");
      assertThat(program.findings())
          .allSatisfy(m -> assertThat(m.where()).contains("Program.java"));
    }
  }

  @Test
  void findsAContextThatIsLeftToTheEmulator() {
    EmulatedDevice device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.1");
      device.open();
    }

    assertThat(device.sanitizerFindings())
        .singleElement()
        .satisfies(finding -> assertThat(finding.what()).isEqualTo("a context was never closed"));
  }

  @Test
  void threadsMayTakeTurnsUnderAThreadDomain() throws InterruptedException {
    try (SanitizedProgram program = new SanitizedProgram()) {
      ThreadDomain td = program.context.allocTd();
      ProtectionDomain parent = program.context.allocParentDomain(program.pd, td);
      SharedReceiveQueue srq = parent.createSrq(new SrqAttr(4, 1, 0));
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      Thread other = new Thread(() -> srq.postRecv(RecvWr.of(2, program.target.sge(8, 8))));
      other.start();
      other.join();
      srq.postRecv(RecvWr.of(3, program.target.sge(16, 8)));

      assertThat(program.findings()).isEmpty();
    }
  }

  @Test
  void findsAThreadThatEntersAThreadDomainWhileAnotherIsInside() throws InterruptedException {
    try (SanitizedProgram program = new SanitizedProgram()) {
      ThreadDomain td = program.context.allocTd();
      ProtectionDomain parent = program.context.allocParentDomain(program.pd, td);
      SharedReceiveQueue srq = parent.createSrq(new SrqAttr(4, 1, 0));
      QpInitAttr attr = QpInitAttr.rc(program.cq, QpCap.of(1));
      WrBatch batch =
          parent.createQpEx(QpInitAttrEx.of(attr).withSendOps(SendOpsFlag.WITH_SEND)).wrStart();
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      assertThat(program.findings()).isEmpty();
      Thread other =
          new Thread(() -> srq.postRecv(RecvWr.of(2, program.target.sge(8, 8))), "other");
      other.start();
      other.join();
      batch.abort();

      assertThat(program.kinds()).containsExactly(SanitizerFindingKind.THREAD_DOMAIN_SHARED);
      assertThat(program.findings().get(0).what()).contains("is used by other while");
    }
  }

  /** A sanitized device and another one, with one queue pair each. */
  private static final class TwoDevices implements AutoCloseable {
    private static final int READS = 4;

    final Emulator emulator;
    final EmulatedDevice device;
    final QueuePair a;
    final QueuePair b;
    private final MemoryRegion from;
    private final MemoryRegion to;

    TwoDevices(Emulator emulator, String addressOfA, String addressOfB) {
      this.emulator = emulator;
      device = emulator.addDevice(DeviceProfile.standard().sanitized(), addressOfA);
      a = queuePair(device);
      b = queuePair(emulator.addDevice(addressOfB));
      to = region(a);
      from = region(b);
    }

    TwoDevices() {
      this(Emulator.inMemory(), "10.0.0.1", "10.0.0.2");
    }

    private static QueuePair queuePair(EmulatedDevice device) {
      ProtectionDomain pd = device.open().allocPd();
      return pd.createQp(QpInitAttr.rc(pd.context().createCq(8), QpCap.of(8)));
    }

    private static MemoryRegion region(QueuePair qp) {
      return qp.pd()
          .regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ);
    }

    void toReadyToReceive(QueuePair qp, QueuePair peer) {
      Gid gid = peer.pd().context().queryGid(1, 0);
      qp.modify(Attributes.init(QpType.RC));
      qp.modify(Attributes.rtr(QpType.RC, gid, peer.qpNum(), 0).maxDestRdAtomic(READS));
    }

    void toReadyToSend(QueuePair qp, int maxRdAtomic) {
      qp.modify(Attributes.rts(QpType.RC, 0).maxRdAtomic(maxRdAtomic));
    }

    void read() {
      a.postSend(SendWr.rdmaRead(1, from.addr(), from.rkey(), to.sge()));
      assertThat(emulator.await(a.initAttr().sendCq()).isSuccess()).isTrue();
    }

    List<SanitizerFinding> findings() {
      return device.sanitizerFindings();
    }

    void assertFoundOnce() {
      assertThat(findings())
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.kind()).isEqualTo(SanitizerFindingKind.MAX_RD_ATOMIC_TOO_LARGE);
                assertThat(finding.what())
                    .isEqualTo(
                        String.format(
                            "max_rd_atomic of QP %d is 5, and its peer, QP %d, has"
                                + " max_dest_rd_atomic 4",
                            a.qpNum(), b.qpNum()));
                assertThat(finding.where()).contains("SanitizerTest.java:");
              });
    }

    @Override
    public void close() {
      emulator.close();
    }
  }

  @Test
  void findsMoreReadsAtATimeThanThePeerHasResourcesFor() {
    try (TwoDevices two = new TwoDevices()) {
      two.toReadyToReceive(two.a, two.b);
      two.toReadyToReceive(two.b, two.a);
      two.toReadyToSend(two.a, TwoDevices.READS + 1);

      two.assertFoundOnce();
      two.read();
      two.assertFoundOnce();
    }
  }

  @Test
  void findsThemWithTheFirstReadIfThePeerIsReadyLater() {
    try (TwoDevices two = new TwoDevices()) {
      two.toReadyToReceive(two.a, two.b);
      two.toReadyToSend(two.a, TwoDevices.READS + 1);
      two.toReadyToReceive(two.b, two.a);
      assertThat(two.findings()).isEmpty();

      two.read();
      two.assertFoundOnce();
    }
  }

  @Test
  void isContentWithAsManyReadsAsThePeerHasResourcesFor() {
    try (TwoDevices two = new TwoDevices()) {
      two.toReadyToReceive(two.a, two.b);
      two.toReadyToReceive(two.b, two.a);
      two.toReadyToSend(two.a, TwoDevices.READS);
      two.read();

      assertThat(two.findings()).isEmpty();
    }
  }

  @Test
  void comparesNothingWithAPeerThatWasReset() {
    try (TwoDevices two = new TwoDevices()) {
      two.toReadyToReceive(two.a, two.b);
      two.toReadyToReceive(two.b, two.a);
      two.b.modify(QpAttr.to(QpState.RESET));
      two.toReadyToSend(two.a, TwoDevices.READS + 1);

      assertThat(two.findings()).isEmpty();
    }
  }

  @Test
  void findsThemOverUdp() {
    UdpOptions options = UdpOptions.defaults().withPort(FreePort.of(LOCAL_A));
    try (TwoDevices two =
        new TwoDevices(Emulator.on(UdpFabric.open(options)), LOCAL_A, "127.0.0.89")) {
      two.toReadyToReceive(two.a, two.b);
      two.toReadyToReceive(two.b, two.a);
      two.toReadyToSend(two.a, TwoDevices.READS + 1);

      two.assertFoundOnce();
    }
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
}

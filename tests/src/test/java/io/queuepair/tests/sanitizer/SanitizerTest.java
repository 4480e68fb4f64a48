package io.queuepair.tests.sanitizer;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.MisuseKind;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
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
import org.junit.jupiter.api.Test;

final class SanitizerTest {
  private static final byte POISON = (byte) 0xdb;

  @Test
  void hasNothingToSayAboutACorrectProgram() {
    try (Program program = new Program()) {
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

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void saysWhatWhereAndHowToMendIt() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.source.buffer().put(63, (byte) 1);
      program.takeCompletions(2);

      assertThat(program.misuses())
          .singleElement()
          .satisfies(
              misuse -> {
                assertThat(misuse.kind()).isEqualTo(MisuseKind.SEND_BUFFER_CHANGED);
                assertThat(misuse.what()).contains("wr_id 2").contains("QP " + program.a.qpNum());
                assertThat(misuse.where()).contains("SanitizerTest.java:");
                assertThat(misuse.toString()).contains("leave the memory of a send alone");
              });
    }
  }

  @Test
  void letsInlineDataBeChangedAtOnce() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(
          SendWr.send(2, program.source.sge(0, 64)).withFlags(SendFlag.INLINE, SendFlag.SIGNALED));
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(2);

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void findsAChangeOfAnUnsignaledSend() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)).withFlags());
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(1);
      program.a.postSend(
          SendWr.rdmaWrite(3, program.target.addr(), program.target.rkey(), program.source.sge()));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(MisuseKind.SEND_BUFFER_CHANGED);
    }
  }

  @Test
  void doesNotTakeAWriteOfAPeerForOneOfTheApplication() {
    try (Program program = new Program()) {
      program.a.postSend(
          SendWr.rdmaWrite(1, program.target.addr(), program.target.rkey(), program.source.sge()));
      program.b.postSend(
          SendWr.rdmaWrite(
              2, program.source.addr(), program.source.rkey(), program.target.sge(0, 8)));
      program.takeCompletions(2);

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void poisonsWhereDataIsExpected() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(8, 8)));

      assertThat(program.target.buffer().get(7)).isZero();
      assertThat(program.target.buffer().get(8)).isEqualTo(POISON);
      assertThat(program.target.buffer().get(15)).isEqualTo(POISON);
      assertThat(program.target.buffer().get(16)).isZero();
    }
  }

  @Test
  void findsAWriteIntoAPostedReceive() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(5, (byte) 1);
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.kinds()).containsExactly(MisuseKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoAReceiveThatIsFlushed() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(5, (byte) 1);
      program.b.modify(QpAttr.to(QpState.ERR));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(MisuseKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoTheTargetOfARead() {
    try (Program program = new Program()) {
      program.a.postSend(
          SendWr.rdmaRead(
              1, program.target.addr(), program.target.rkey(), program.source.sge(0, 64)));
      program.source.buffer().put(0, (byte) 1);
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(MisuseKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void findsAWriteIntoASharedReceive() {
    try (Program program = new Program();
        SharedReceiveQueue srq = program.pd.createSrq(new SrqAttr(4, 1, 0))) {
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.buffer().put(0, (byte) 1);
      program.a.postSend(
          SendWr.rdmaWrite(
              2, program.target.addr(), program.target.rkey(), program.source.sge(0, 8)));
      program.takeCompletions(1);

      assertThat(program.kinds()).containsExactly(MisuseKind.TARGET_BUFFER_CHANGED);
    }
  }

  @Test
  void leavesReceivesAloneThatShareTheirMemory() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.b.postRecv(RecvWr.of(2, program.target.sge(0, 64)));
      program.a.postSend(SendWr.send(3, program.source.sge(0, 64)));
      program.takeCompletions(2);
      program.target.buffer().put(0, (byte) 1);
      program.a.postSend(SendWr.send(4, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void findsMemoryDeregisteredInFlight() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.target.close();

      assertThat(program.kinds()).containsExactly(MisuseKind.MEMORY_DEREGISTERED_IN_FLIGHT);
      assertThat(program.misuses().get(0).what()).contains("receive wr_id 1");
    }
  }

  @Test
  void forgetsTheWorkOfAQueuePairThatIsReset() {
    try (Program program = new Program()) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 64)));
      program.b.modify(QpAttr.to(QpState.RESET));
      program.target.close();

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void forgetsTheSharedReceiveThatAResetInterrupts() {
    try (Program program = new Program();
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
      assertThat(program.target.buffer().get(Program.REGION_BYTES - 1)).isEqualTo(POISON);
      taker.modify(QpAttr.to(QpState.RESET));
      program.target.close();

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void leavesAReceiveIntoNothingAlone() {
    try (Program program = new Program();
        MemoryRegion nothing = program.pd.allocNullMr()) {
      program.b.postRecv(RecvWr.of(1, new Sge(0, Integer.MAX_VALUE, nothing.lkey())));
      program.a.postSend(SendWr.send(2, program.source.sge(0, 64)));
      program.takeCompletions(2);

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void findsASendQueueThatCanNeverBeReclaimed() {
    try (Program program = new Program()) {
      for (int i = 0; i < Program.SEND_WRS; i++) {
        program.a.postSend(
            SendWr.rdmaWrite(
                    i, program.target.addr(), program.target.rkey(), program.source.sge(0, 8))
                .withFlags());
      }

      assertThat(program.kinds()).containsExactly(MisuseKind.SEND_QUEUE_NEVER_RECLAIMED);
    }
  }

  @Test
  void isContentWithOneSignaledSendInAQueue() {
    try (Program program = new Program()) {
      for (int i = 0; i < 3 * Program.SEND_WRS; i++) {
        SendWr write =
            SendWr.rdmaWrite(
                i, program.target.addr(), program.target.rkey(), program.source.sge(0, 8));
        boolean isSignaled = i % Program.SEND_WRS == Program.SEND_WRS - 1;
        program.a.postSend(isSignaled ? write : write.withFlags());
        program.takeCompletions(isSignaled ? 1 : 0);
      }

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void findsACompletionQueueThatIsTooSmall() {
    try (Program program = new Program(2)) {
      program.b.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      program.b.postRecv(RecvWr.of(2, program.target.sge(8, 8)));
      assertThat(program.misuses()).isEmpty();
      program.b.postRecv(RecvWr.of(3, program.target.sge(16, 8)));
      program.b.postRecv(RecvWr.of(4, program.target.sge(24, 8)));

      assertThat(program.kinds()).containsExactly(MisuseKind.COMPLETION_QUEUE_TOO_SMALL);
      assertThat(program.misuses().get(0).what()).contains("of 2 entries").contains("expects 3");
    }
  }

  @Test
  void findsWhatIsLeftToTheContext() {
    try (Program program = new Program()) {
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
              MisuseKind.OBJECT_NOT_CLOSED,
              MisuseKind.OBJECT_NOT_CLOSED,
              MisuseKind.OBJECT_NOT_CLOSED,
              MisuseKind.EVENT_NOT_ACKNOWLEDGED,
              MisuseKind.OBJECT_NOT_CLOSED,
              MisuseKind.OBJECT_NOT_CLOSED);
      assertThat(program.misuses())
          .extracting(misuse -> misuse.what().replaceAll(" was never closed", ""))
          .containsExactly(
              "a protection domain",
              "a completion channel",
              "a completion queue",
              "1 event(s) of a completion queue were taken and not acknowledged",
              "a memory region",
              "a memory region");
      assertThat(program.misuses()).allSatisfy(m -> assertThat(m.where()).contains("Program.java"));
    }
  }

  @Test
  void findsAContextThatIsLeftToTheEmulator() {
    Device device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice(DeviceProfile.standard().sanitized(), "10.0.0.1");
      device.open();
    }

    assertThat(Emulator.misuses(device))
        .singleElement()
        .satisfies(misuse -> assertThat(misuse.what()).isEqualTo("a context was never closed"));
  }

  @Test
  void threadsMayTakeTurnsUnderAThreadDomain() throws InterruptedException {
    try (Program program = new Program()) {
      ThreadDomain td = program.context.allocTd();
      ProtectionDomain parent = program.context.allocParentDomain(program.pd, td);
      SharedReceiveQueue srq = parent.createSrq(new SrqAttr(4, 1, 0));
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      Thread other = new Thread(() -> srq.postRecv(RecvWr.of(2, program.target.sge(8, 8))));
      other.start();
      other.join();
      srq.postRecv(RecvWr.of(3, program.target.sge(16, 8)));

      assertThat(program.misuses()).isEmpty();
    }
  }

  @Test
  void findsAThreadThatEntersAThreadDomainWhileAnotherIsInside() throws InterruptedException {
    try (Program program = new Program()) {
      ThreadDomain td = program.context.allocTd();
      ProtectionDomain parent = program.context.allocParentDomain(program.pd, td);
      SharedReceiveQueue srq = parent.createSrq(new SrqAttr(4, 1, 0));
      QpInitAttr attr = QpInitAttr.rc(program.cq, QpCap.of(1));
      WrBatch batch =
          parent.createQpEx(QpInitAttrEx.of(attr).withSendOps(SendOpsFlag.WITH_SEND)).wrStart();
      srq.postRecv(RecvWr.of(1, program.target.sge(0, 8)));
      assertThat(program.misuses()).isEmpty();
      Thread other =
          new Thread(() -> srq.postRecv(RecvWr.of(2, program.target.sge(8, 8))), "other");
      other.start();
      other.join();
      batch.abort();

      assertThat(program.kinds()).containsExactly(MisuseKind.THREAD_DOMAIN_SHARED);
      assertThat(program.misuses().get(0).what()).contains("is used by other while");
    }
  }

  @Test
  void isOffUnlessAskedFor() {
    Device device;
    try (Emulator emulator = Emulator.inMemory()) {
      device = emulator.addDevice("10.0.0.1");
      device.open();
    }

    assertThat(Emulator.misuses(device)).isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Completions of an extended completion queue, field by field. */
final class ExtendedCompletionFieldTest {
  private static final CreateCqWcFlag[] OFFERED =
      EnumSet.complementOf(EnumSet.of(CreateCqWcFlag.WITH_FLOW_TAG, CreateCqWcFlag.WITH_TM_INFO))
          .toArray(CreateCqWcFlag[]::new);

  private final InMemoryFabric fabric = InMemoryFabric.virtualTime();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final FieldEndpoint a = new FieldEndpoint(emulator, "10.0.0.1", OFFERED);
  private final FieldEndpoint b = new FieldEndpoint(emulator, "10.0.0.2", OFFERED);

  /** A device with one queue pair. */
  private static final class FieldEndpoint {
    private final ProtectionDomain pd;
    private final ExtendedCompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;

    FieldEndpoint(Emulator emulator, String address, CreateCqWcFlag... fields) {
      pd = emulator.addDevice(address).open().allocPd();
      cq = pd.context().createCqEx(CqInitAttrEx.of(16).withWcFlags(fields));
      qp = newQueuePair();
      region = TestEndpoint.registerIn(pd, 4096, TestEndpoint.ALL_RIGHTS);
    }

    QueuePair newQueuePair() {
      return pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    }

    /** Polls until there is something, as applications do. */
    PollBatch await() {
      PollBatch batch = cq.startPoll();
      while (!batch.nextPoll()) {
        Thread.onSpinWait();
        batch = cq.startPoll();
      }
      return batch;
    }
  }

  private void sendWithImmediate() {
    Emulator.connect(a.qp, b.qp);
    b.qp.postRecv(RecvWr.of(900, b.region.sge()));
    a.qp.postSend(SendWr.sendWithImm(1, 0x0102_0304, a.region.sge(0, 64)));
  }

  /**
   * RoCE has neither local identifiers nor, in its packets, service levels; UC and RC no source.
   * The invalidated key is where the immediate data is, as in C.
   */
  @Test
  void aReceiveHasTheFieldsOfAPlainCompletion() {
    sendWithImmediate();

    try (PollBatch batch = b.await()) {
      assertThat(batch.wrId()).isEqualTo(900);
      assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(batch.explain()).isEmpty();
      assertThat(batch.readOpcode()).isEqualTo(WcOpcode.RECV);
      assertThat(batch.readVendorErr()).isZero();
      assertThat(batch.readByteLen()).isEqualTo(64);
      assertThat(batch.readImmData()).isEqualTo(0x0102_0304);
      assertThat(batch.readInvalidatedRkey()).isEqualTo(0x0102_0304);
      assertThat(batch.readQpNum()).isEqualTo(b.qp.qpNum());
      assertThat(batch.readWcFlags()).containsExactly(WcFlag.WITH_IMM);
      assertThat(batch.readSrcQp()).isZero();
      assertThat(batch.readSlid()).isZero();
      assertThat(batch.readSl()).isZero();
      assertThat(batch.readDlidPathBits()).isZero();
    }
  }

  @Test
  void aFailureExplainsItself() {
    a.qp.modify(QpAttr.to(QpState.ERR));
    a.qp.postSend(SendWr.send(7));
    PollBatch batch = a.await();

    assertThat(batch.wrId()).isEqualTo(7);
    assertThat(batch.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(batch.readQpNum()).isEqualTo(a.qp.qpNum());
    assertThat(batch.readVendorErr()).isZero();
    assertThat(batch.explain()).contains("the application moved the queue pair to ERR");
    batch.close();
  }

  /** The message takes 1000 ns to the receiver, its acknowledgement as long back. */
  @Test
  void timestampsAreThoseOfTheNetwork() {
    sendWithImmediate();
    long startNanos = fabric.scheduler().nowNanos();
    PollBatch sent = a.await();
    PollBatch received = b.await();

    assertThat(received.readCompletionTs() - startNanos).isEqualTo(1_000);
    assertThat(sent.readCompletionTs() - startNanos).isEqualTo(2_000);
    assertThat(sent.readCompletionWallclockNs()).isEqualTo(sent.readCompletionTs());
    sent.close();
    received.close();
  }

  private void passNanos(long nanos) {
    fabric.scheduler().timer(() -> {}).arm(fabric.scheduler().nowNanos() + nanos);
    new VirtualTime(fabric.scheduler()).drain();
  }

  private static List<Long> timestamps(FieldEndpoint party) {
    List<Long> timestamps = new ArrayList<>();
    try (PollBatch batch = party.await()) {
      do {
        timestamps.add(batch.readCompletionTs());
      } while (batch.nextPoll());
    }
    return timestamps;
  }

  @Test
  void completionsThatARepeatedResetLeavesKeepTheirTimes() {
    QueuePair other = a.newQueuePair();
    a.qp.modify(QpAttr.to(QpState.ERR));
    other.modify(QpAttr.to(QpState.ERR));
    passNanos(1_000);
    a.qp.postSend(SendWr.send(1));
    passNanos(1_000);
    other.postSend(SendWr.send(2));
    passNanos(1_000);
    a.qp.postSend(SendWr.send(3));
    passNanos(1_000);
    other.postSend(SendWr.send(4));

    a.qp.modify(QpAttr.to(QpState.RESET));

    assertThat(timestamps(a)).containsExactly(2_000L, 4_000L);
  }

  @Test
  void timestampsOfARealNetworkAreTheTimeOfDay() {
    try (Emulator real = Emulator.on(InMemoryFabric.realTime())) {
      FieldEndpoint party = new FieldEndpoint(real, "10.0.0.1", OFFERED);
      party.qp.modify(QpAttr.to(QpState.ERR));
      Instant before = Instant.now();

      party.qp.postSend(SendWr.send(1));
      PollBatch batch = party.await();

      Instant stamped = Instant.EPOCH.plusNanos(batch.readCompletionWallclockNs());
      assertThat(Duration.between(before, stamped).abs()).isLessThan(Duration.ofSeconds(1));
      batch.close();
    }
  }

  private static Arguments reader(CreateCqWcFlag needed, Consumer<PollBatch> read) {
    return Arguments.of(needed, read);
  }

  static Stream<Arguments> readers() {
    return Stream.of(
        reader(CreateCqWcFlag.WITH_BYTE_LEN, PollBatch::readByteLen),
        reader(CreateCqWcFlag.WITH_IMM, PollBatch::readImmData),
        reader(CreateCqWcFlag.WITH_IMM, PollBatch::readInvalidatedRkey),
        reader(CreateCqWcFlag.WITH_QP_NUM, PollBatch::readQpNum),
        reader(CreateCqWcFlag.WITH_SRC_QP, PollBatch::readSrcQp),
        reader(CreateCqWcFlag.WITH_SLID, PollBatch::readSlid),
        reader(CreateCqWcFlag.WITH_SL, PollBatch::readSl),
        reader(CreateCqWcFlag.WITH_DLID_PATH_BITS, PollBatch::readDlidPathBits),
        reader(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP, PollBatch::readCompletionTs),
        reader(CreateCqWcFlag.WITH_CVLAN, PollBatch::readCvlan),
        reader(CreateCqWcFlag.WITH_FLOW_TAG, PollBatch::readFlowTag),
        reader(CreateCqWcFlag.WITH_TM_INFO, PollBatch::readTmInfo),
        reader(
            CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK,
            PollBatch::readCompletionWallclockNs));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readers")
  void aFieldNotAskedForIsRefused(CreateCqWcFlag needed, Consumer<PollBatch> read) {
    CreateCqWcFlag[] others =
        Arrays.stream(OFFERED).filter(field -> field != needed).toArray(CreateCqWcFlag[]::new);
    FieldEndpoint party = new FieldEndpoint(emulator, "10.0.0.3", others);
    party.qp.modify(QpAttr.to(QpState.ERR));
    party.qp.postSend(SendWr.send(1));
    PollBatch batch = party.await();

    assertRefused("was created without " + needed, read, batch);
    assertThat(batch.readOpcode()).isNotNull();
    assertThat(batch.readWcFlags()).isEmpty();
    batch.close();
  }

  private static void assertRefused(String reason, Consumer<PollBatch> read, PollBatch batch) {
    Errnos.assertRefused(Errno.EINVAL, reason, () -> read.accept(batch));
  }

  private void flushOne() {
    a.qp.modify(QpAttr.to(QpState.ERR));
    a.qp.postSend(SendWr.send(1));
  }

  @Test
  void nothingCanBeReadWithoutACompletion() {
    PollBatch empty = a.cq.startPoll();
    assertRefused("has ended", PollBatch::wrId, empty);
    assertRefused("has ended", PollBatch::readOpcode, empty);
    assertRefused("has ended", PollBatch::readCompletionTs, empty);

    flushOne();
    PollBatch batch = a.cq.startPoll();
    assertRefused("nextPoll moves to the first one", PollBatch::status, batch);
    assertRefused("nextPoll moves to the first one", PollBatch::readByteLen, batch);

    batch.nextPoll();
    batch.nextPoll();
    assertRefused("come to its end", PollBatch::status, batch);
    assertRefused("come to its end", PollBatch::readByteLen, batch);

    batch.close();
    assertRefused("has ended", PollBatch::status, batch);
    assertRefused("has ended", PollBatch::readByteLen, batch);
    assertRefused("has ended", PollBatch::nextPoll, batch);
    batch.close();
  }
}

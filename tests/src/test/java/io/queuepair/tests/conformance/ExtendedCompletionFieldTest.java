package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.FlowAttr;
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
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the completions of an extended completion queue say, field by field. */
final class ExtendedCompletionFieldTest {
  private static final CreateCqWcFlag[] OFFERED =
      Arrays.stream(CreateCqWcFlag.values())
          .filter(ExtendedCompletionFieldTest::isOffered)
          .toArray(CreateCqWcFlag[]::new);

  private final InMemoryFabric fabric = InMemoryFabric.virtualTime();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final Party a = new Party(emulator, "10.0.0.1", OFFERED);
  private final Party b = new Party(emulator, "10.0.0.2", OFFERED);

  private static boolean isOffered(CreateCqWcFlag field) {
    return switch (field) {
      case WITH_FLOW_TAG, WITH_TM_INFO -> false;
      case WITH_BYTE_LEN,
          WITH_IMM,
          WITH_QP_NUM,
          WITH_SRC_QP,
          WITH_SLID,
          WITH_SL,
          WITH_DLID_PATH_BITS,
          WITH_COMPLETION_TIMESTAMP,
          WITH_CVLAN,
          WITH_COMPLETION_TIMESTAMP_WALLCLOCK ->
          true;
    };
  }

  /** A device with one queue pair. */
  private static final class Party {
    private final ProtectionDomain pd;
    private final ExtendedCompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;

    Party(Emulator emulator, String address, CreateCqWcFlag... fields) {
      pd = emulator.addDevice(address).open().allocPd();
      cq = pd.context().createCqEx(CqInitAttrEx.of(16).withWcFlags(fields));
      qp = newQueuePair();
      region = Endpoint.registerIn(pd, 4096, Endpoint.ALL_RIGHTS);
    }

    QueuePair newQueuePair() {
      return pd.createQp(QpInitAttr.rc(cq, QpCap.of(8)));
    }

    /** Polls until there is something, as applications do, and opens a batch. */
    void await() {
      while (!cq.startPoll()) {
        Thread.onSpinWait();
      }
    }
  }

  private void sendWithImmediate() {
    Emulator.connect(a.qp, b.qp);
    b.qp.postRecv(RecvWr.of(900, b.region.sge()));
    a.qp.postSend(SendWr.sendWithImm(1, 0x0102_0304, a.region.sge(0, 64)));
  }

  @Test
  void aReceiveHasTheFieldsOfAPlainCompletion() {
    sendWithImmediate();
    b.await();

    assertThat(b.cq.wrId()).isEqualTo(900);
    assertThat(b.cq.status()).isEqualTo(WcStatus.SUCCESS);
    assertThat(b.cq.explain()).isEmpty();
    assertThat(b.cq.readOpcode()).isEqualTo(WcOpcode.RECV);
    assertThat(b.cq.readVendorErr()).isZero();
    assertThat(b.cq.readByteLen()).isEqualTo(64);
    assertThat(b.cq.readImmData()).isEqualTo(0x0102_0304);
    assertThat(b.cq.readQpNum()).isEqualTo(b.qp.qpNum());
    assertThat(b.cq.readWcFlags()).containsExactly(WcFlag.WITH_IMM);
    b.cq.endPoll();
  }

  /**
   * RoCE has neither local identifiers nor, in its packets, service levels; UC and RC no source.
   */
  @Test
  void fieldsThatRoceDoesNotHaveAreZero() {
    sendWithImmediate();
    b.await();

    assertThat(b.cq.readSrcQp()).isZero();
    assertThat(b.cq.readSlid()).isZero();
    assertThat(b.cq.readSl()).isZero();
    assertThat(b.cq.readDlidPathBits()).isZero();
    b.cq.endPoll();
  }

  /** In C both are read from the same place. */
  @Test
  void theInvalidatedKeyIsWhereTheImmediateDataIs() {
    sendWithImmediate();
    b.await();

    assertThat(b.cq.readInvalidatedRkey()).isEqualTo(b.cq.readImmData());
    b.cq.endPoll();
  }

  @Test
  void aFailureExplainsItself() {
    a.qp.modify(QpAttr.to(QpState.ERR));
    a.qp.postSend(SendWr.send(7));
    a.await();

    assertThat(a.cq.wrId()).isEqualTo(7);
    assertThat(a.cq.status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    assertThat(a.cq.readQpNum()).isEqualTo(a.qp.qpNum());
    assertThat(a.cq.readVendorErr()).isZero();
    assertThat(a.cq.explain()).contains("the application moved the queue pair to ERR");
    a.cq.endPoll();
  }

  /** The message takes 1000 ns to the receiver, its acknowledgement as long back. */
  @Test
  @Tag("test_phc_timestamp.TimeStampTest.test_timestamp_free_running_rc_traffic")
  void timestampsAreThoseOfTheNetwork() {
    sendWithImmediate();
    long startNanos = fabric.scheduler().nowNanos();
    a.await();
    b.await();

    assertThat(b.cq.readCompletionTs() - startNanos).isEqualTo(1_000);
    assertThat(a.cq.readCompletionTs() - startNanos).isEqualTo(2_000);
    assertThat(a.cq.readCompletionWallclockNs()).isEqualTo(a.cq.readCompletionTs());
    a.cq.endPoll();
    b.cq.endPoll();
  }

  @Test
  void aFlushAtOnceHasTheTimeOfThePost() {
    a.qp.modify(QpAttr.to(QpState.ERR));
    passNanos(5_000);
    a.qp.postSend(SendWr.send(1));
    passNanos(2_000);
    a.qp.postSend(SendWr.send(2));
    passNanos(1_000);

    assertThat(timestamps(a)).containsExactly(5_000L, 7_000L);
  }

  @Test
  void aFrameHasTheTimeOfItsArrival() {
    RawHost sender = new RawHost(emulator.addDevice("10.0.0.3"));
    QpInitAttr rawAttr = QpInitAttr.of(QpType.RAW_PACKET, b.cq, QpCap.of(2));
    QueuePair raw = b.pd.createQp(rawAttr);
    raw.modify(QpAttr.to(QpState.INIT).portNum(1));
    raw.modify(QpAttr.to(QpState.RTR));
    raw.createFlow(FlowAttr.normal());
    raw.postRecv(RecvWr.of(1, b.region.sge()));
    passNanos(5_000);

    sender.send(7, Frames.PLAIN.bytes());

    assertThat(timestamps(b)).containsExactly(6_000L);
  }

  private void passNanos(long nanos) {
    fabric.scheduler().timer(() -> {}).arm(fabric.scheduler().nowNanos() + nanos);
    while (fabric.scheduler().runNext()) {
      Thread.onSpinWait();
    }
  }

  private static List<Long> timestamps(Party party) {
    List<Long> timestamps = new ArrayList<>();
    party.await();
    do {
      timestamps.add(party.cq.readCompletionTs());
    } while (party.cq.nextPoll());
    party.cq.endPoll();
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
  @Tag("test_phc_timestamp.TimeStampTest.test_timestamp_real_time_rc_traffic")
  void timestampsOfARealNetworkAreTheTimeOfDay() {
    try (Emulator real = Emulator.on(InMemoryFabric.realTime())) {
      Party party = new Party(real, "10.0.0.1", OFFERED);
      party.qp.modify(QpAttr.to(QpState.ERR));
      Instant before = Instant.now();

      party.qp.postSend(SendWr.send(1));
      party.await();

      Instant stamped = Instant.EPOCH.plusNanos(party.cq.readCompletionWallclockNs());
      assertThat(Duration.between(before, stamped)).isBetween(second(-1), second(1));
      party.cq.endPoll();
    }
  }

  private static Duration second(int seconds) {
    return Duration.ofSeconds(seconds);
  }

  private static Arguments reader(CreateCqWcFlag needed, Consumer<ExtendedCompletionQueue> read) {
    return Arguments.of(needed, read);
  }

  static Stream<Arguments> readers() {
    return Stream.of(
        reader(CreateCqWcFlag.WITH_BYTE_LEN, ExtendedCompletionQueue::readByteLen),
        reader(CreateCqWcFlag.WITH_IMM, ExtendedCompletionQueue::readImmData),
        reader(CreateCqWcFlag.WITH_IMM, ExtendedCompletionQueue::readInvalidatedRkey),
        reader(CreateCqWcFlag.WITH_QP_NUM, ExtendedCompletionQueue::readQpNum),
        reader(CreateCqWcFlag.WITH_SRC_QP, ExtendedCompletionQueue::readSrcQp),
        reader(CreateCqWcFlag.WITH_SLID, ExtendedCompletionQueue::readSlid),
        reader(CreateCqWcFlag.WITH_SL, ExtendedCompletionQueue::readSl),
        reader(CreateCqWcFlag.WITH_DLID_PATH_BITS, ExtendedCompletionQueue::readDlidPathBits),
        reader(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP, ExtendedCompletionQueue::readCompletionTs),
        reader(CreateCqWcFlag.WITH_CVLAN, ExtendedCompletionQueue::readCvlan),
        reader(CreateCqWcFlag.WITH_FLOW_TAG, ExtendedCompletionQueue::readFlowTag),
        reader(CreateCqWcFlag.WITH_TM_INFO, ExtendedCompletionQueue::readTmInfo),
        reader(
            CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK,
            ExtendedCompletionQueue::readCompletionWallclockNs));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readers")
  void aFieldNotAskedForIsRefused(CreateCqWcFlag needed, Consumer<ExtendedCompletionQueue> read) {
    CreateCqWcFlag[] others =
        Arrays.stream(OFFERED).filter(field -> field != needed).toArray(CreateCqWcFlag[]::new);
    Party party = new Party(emulator, "10.0.0.3", others);
    party.qp.modify(QpAttr.to(QpState.ERR));
    party.qp.postSend(SendWr.send(1));
    party.await();

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> read.accept(party.cq));

    assertThat(refusal).hasMessageContaining("was created without " + needed);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(party.cq.readOpcode()).isNotNull();
    assertThat(party.cq.readWcFlags()).isEmpty();
    party.cq.endPoll();
  }

  private static void assertRefused(
      String reason, Consumer<ExtendedCompletionQueue> read, Party of) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> read.accept(of.cq));
    assertThat(refusal).hasMessageContaining(reason);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void nothingCanBeReadOutsideABatch() {
    assertRefused("no batch of polls open", ExtendedCompletionQueue::wrId, a);
    assertRefused("no batch of polls open", ExtendedCompletionQueue::readOpcode, a);
    assertRefused("no batch of polls open", ExtendedCompletionQueue::readCompletionTs, a);
  }

  @Test
  void nothingCanBeReadBehindTheLastCompletion() {
    a.qp.modify(QpAttr.to(QpState.ERR));
    a.qp.postSend(SendWr.send(1));
    a.await();
    a.cq.nextPoll();

    assertRefused("come to its end", ExtendedCompletionQueue::status, a);
    assertRefused("come to its end", ExtendedCompletionQueue::readByteLen, a);
    a.cq.endPoll();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static io.queuepair.tests.conformance.Errnos.assertEinval;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a batch posts, and when. The first mistake fails a whole batch: errno, position and words
 * say which one it was.
 */
final class WrBatchTest {
  private static final Set<SendOpsFlag> OPERATIONS =
      EnumSet.of(
          SendOpsFlag.WITH_SEND,
          SendOpsFlag.WITH_RDMA_WRITE,
          SendOpsFlag.WITH_RDMA_READ,
          SendOpsFlag.WITH_ATOMIC_FETCH_AND_ADD);

  private static final Set<SendOpsFlag> ALL_OF_RC =
      EnumSet.of(
          SendOpsFlag.WITH_SEND,
          SendOpsFlag.WITH_ATOMIC_WRITE,
          SendOpsFlag.WITH_FLUSH,
          SendOpsFlag.WITH_BIND_MW);

  @AutoClose private final ExtendedQpFixture bed = new ExtendedQpFixture(QpType.RC, OPERATIONS);

  private WrBatch write(WrBatch wr, long wrId) {
    return wr.wrId(wrId).rdmaWrite(bed.remote.rkey(), bed.remote.addr()).setSge(bed.local.sge());
  }

  @Test
  void nothingRunsBeforeItIsComplete() {
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED);
      write(wr, 1);
      write(wr, 2);
      assertThat(bed.sends()).isEmpty();

      wr.complete();
    }

    assertThat(bed.sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_WRITE");
  }

  @Test
  void identifierAndFlagsStayUntilSetAgainAlsoInTheNextBatch() {
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.wrId(7).wrFlags(SendFlag.SIGNALED);
      wr.send();
      wr.send();
      wr.wrId(8).send();
      wr.wrFlags().wrId(9).send();
      wr.complete();
    }
    assertThat(bed.sends()).containsExactly("7 SEND", "7 SEND", "8 SEND");
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.send();
      wr.wrFlags(SendFlag.SIGNALED).send();
      wr.complete();
    }

    assertThat(bed.sends()).containsExactly("9 SEND");
  }

  @Test
  void anIdentifierSetAfterTheBuilderIsForTheNextRequest() {
    bed.post(wr -> wr.wrId(1).send().wrId(2).setSge(bed.local.sge()).send());

    assertThat(bed.sends()).containsExactly("1 SEND", "2 SEND");
  }

  @Test
  void inlineDataIsCopiedWhenItIsSetFromAnyMemory() {
    ByteBuffer onTheHeap = ByteBuffer.wrap(Bytes.pattern(8, 1));
    onTheHeap.position(2);

    bed.post(
        wr -> {
          wr.send().setInlineData(onTheHeap);
          onTheHeap.put(3, (byte) 0);
        });

    assertThat(bed.sends()).containsExactly("0 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 6");
    assertThat(Bytes.in(bed.remote, 0, 6))
        .containsExactly(2 * 7 + 1, 3 * 7 + 1, 4 * 7 + 1, 5 * 7 + 1, 6 * 7 + 1, 7 * 7 + 1);
    assertThat(onTheHeap.position()).isEqualTo(2);
  }

  @Test
  void aRequestWithoutDataIsAMessageOfLengthZero() {
    bed.post(wr -> wr.wrId(1).send().wrId(2).rdmaRead(0, 0).wrId(3).send().setSgeList(List.of()));

    assertThat(bed.sends()).containsExactly("1 SEND", "2 RDMA_READ 0", "3 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 0", "1 RECV 0");
  }

  @Test
  void aBatchWithoutRequestsIsNoMistake() {
    bed.post(wr -> {});

    assertThat(bed.sends()).isEmpty();
  }

  @Test
  void afterItsEndABatchIsOfNoUse() {
    WrBatch over = bed.qp.wrStart();
    over.complete();

    assertEinval(over::send);
    assertEinval(() -> over.wrId(1));
    assertEinval(over::complete);
    over.close();
    try (WrBatch next = bed.qp.wrStart()) {
      assertEinval(over::send);
      assertEinval(over::complete);
      over.close();
      next.complete();
    }
  }

  @Test
  void theSameThreadCannotPostOtherwiseMeanwhile() {
    try (WrBatch wr = bed.qp.wrStart()) {
      assertEinval(() -> bed.qp.wrStart());
      assertEinval(() -> bed.qp.postSend(SendWr.send(1)));
      wr.wrFlags(SendFlag.SIGNALED).wrId(2).send();
      wr.complete();
    }

    bed.qp.postSend(SendWr.send(3));
    assertThat(bed.sends()).containsExactly("2 SEND", "3 SEND");
  }

  @Test
  void aQueuePairWithAnOpenBatchIsNotDestroyed() {
    try (WrBatch wr = bed.qp.wrStart()) {
      assertThat(Errnos.of(bed.qp::close)).isEqualTo(Errno.EBUSY);
      wr.complete();
    }

    bed.qp.close();
    assertEinval(bed.qp::wrStart);
  }

  @Test
  void theEndOfTheContextEndsTheBatch() {
    try (WrBatch wr = bed.qp.wrStart()) {
      wr.send();
      bed.context.close();

      assertEinval(wr::complete);
    }
  }

  private static void assertRefused(
      ExtendedQpFixture bed, Errno errno, int index, String words, Consumer<WrBatch> requests) {
    BadWorkRequestException refusal = bed.refusalOf(requests);

    assertThat(refusal).isNotNull();
    assertThat(refusal).hasMessageContaining(words);
    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(refusal.index()).isEqualTo(index);
    assertThat(refusal.verb()).isEqualTo("ibv_wr_complete");
    assertThat(bed.sends()).isEmpty();
    assertThat(bed.receives()).isEmpty();
    bed.post(wr -> wr.wrId(99).send());
    assertThat(bed.sends()).containsExactly("99 SEND");
    assertThat(bed.receives()).hasSize(1);
  }

  /** A mistake, the position of the request that has it, and the words about it. */
  private record Mistake(int index, String words, BiConsumer<ExtendedQpFixture, WrBatch> batch) {}

  static Stream<Mistake> mistakes() {
    ByteBuffer oneByte = ByteBuffer.allocate(1);
    List<ByteBuffer> absurdlyMany = Collections.nCopies(4096, ByteBuffer.allocate(1 << 20));
    return Stream.of(
        new Mistake(
            0,
            "ibv_wr_set_sge has no request",
            (bed, wr) -> {
              wr.setSge(bed.local.sge());
              wr.send();
            }),
        new Mistake(
            1,
            "created without WITH_RDMA_WRITE_WITH_IMM",
            (bed, wr) -> {
              wr.send();
              wr.rdmaWriteImm(0, 0, 1);
              wr.rdmaRead(0, 0).setInlineData(oneByte);
            }),
        new Mistake(
            0,
            "RDMA_READ on type RC does not have setInlineData, only [setSge]",
            (bed, wr) -> {
              wr.rdmaRead(0, 0).setInlineData(oneByte).setUdAddr(null, 0, 0);
              wr.rdmaWrite(0, 0);
            }),
        new Mistake(
            0,
            "SEND has its data already",
            (bed, wr) -> wr.send().setSge(bed.local.sge()).setInlineData(oneByte)),
        new Mistake(
            0,
            "setInlineData stands for it",
            (bed, wr) -> wr.wrFlags(SendFlag.INLINE).send().wrFlags()),
        new Mistake(
            0,
            "4294967296 bytes inline are more",
            (bed, wr) -> wr.send().setInlineDataList(absurdlyMany)),
        new Mistake(0, "works on 8 bytes", (bed, wr) -> wr.atomicFetchAdd(0, 0, 1)),
        new Mistake(
            0, "sge is null", (bed, wr) -> wr.send().setSge(null).wrFlags((Set<SendFlag>) null)),
        new Mistake(
            1, "wrFlags got null", (bed, wr) -> wr.send().wrFlags((Set<SendFlag>) null).send()));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void theFirstMistakeIsNamed(Mistake row) {
    assertRefused(bed, Errno.EINVAL, row.index, row.words, wr -> row.batch.accept(bed, wr));
  }

  @Test
  void anAtomicWriteIsAboutEightBytes() {
    try (ExtendedQpFixture other =
        new ExtendedQpFixture(
            QpType.RC, EnumSet.of(SendOpsFlag.WITH_SEND, SendOpsFlag.WITH_ATOMIC_WRITE))) {
      MemoryRegion word = other.remote;
      assertRefused(
          other,
          Errno.EINVAL,
          0,
          "works on 8 bytes",
          wr -> wr.atomicWrite(word.rkey(), word.addr(), ByteBuffer.allocate(4)));
    }
  }

  @Test
  void aDatagramNeedsAHandleThatIsNotGone() {
    try (ExtendedQpFixture datagrams =
        new ExtendedQpFixture(QpType.UD, Set.of(SendOpsFlag.WITH_SEND))) {
      Consumer<WrBatch> toClosed =
          wr -> wr.send().setUdAddr(datagrams.ah, datagrams.target.qpNum(), 1);
      datagrams.ah.close();

      assertThat(datagrams.refusalOf(toClosed))
          .hasMessageContainingAll("EINVAL", "the address handle is gone");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = QpState.class,
      names = {"RESET", "INIT", "RTR"})
  void nothingIsPostedBeforeRts(QpState state) {
    bed.qp.modify(QpAttr.to(QpState.RESET));
    if (state != QpState.RESET) {
      bed.qp.modify(Attributes.init(QpType.RC));
    }
    if (state == QpState.RTR) {
      bed.qp.modify(Attributes.rtr(QpType.RC, bed.context.queryGid(1, 0), bed.target.qpNum(), 0));
    }

    BadWorkRequestException refusal = bed.refusalOf(wr -> wr.send());

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal).hasMessageContaining("sends are not accepted in state " + state);
  }

  private static ExtendedQpFixture bedOf(String profile) {
    return new ExtendedQpFixture(
        QpType.RC,
        OPERATIONS,
        profile.equals("standard") ? DeviceProfile.standard() : DeviceProfile.softRoce());
  }

  @ParameterizedTest
  @CsvSource({"standard, ENOMEM", "softRoce, ENOSPC"})
  void aBatchThatDoesNotFitIsNotPostedInPart(String profile, Errno errno) {
    try (ExtendedQpFixture small = bedOf(profile)) {
      int capacity = small.qp.query().cap().maxSendWr();
      assertRefused(
          small,
          errno,
          capacity,
          "the send queue is full: it holds " + capacity,
          wr -> Collections.nCopies(capacity + 2, wr).forEach(batch -> batch.rdmaRead(0, 0)));

      small.post(wr -> Collections.nCopies(capacity, wr).forEach(batch -> batch.rdmaRead(0, 0)));

      assertThat(small.sends()).hasSize(capacity);
    }
  }

  @Test
  void whatIsStillInTheQueueCounts() {
    bed.qp.postSend(List.of(SendWr.send(1), SendWr.send(2)));

    BadWorkRequestException refusal =
        bed.refusalOf(
            wr ->
                Collections.nCopies(ExtendedQpFixture.MAX_SEND_WR - 1, wr).forEach(WrBatch::send));

    assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(refusal.index()).isEqualTo(ExtendedQpFixture.MAX_SEND_WR - 2);
    assertThat(bed.sends()).containsExactly("1 SEND", "2 SEND");
  }

  @ParameterizedTest
  @CsvSource({"standard, EINVAL", "softRoce, ENOSPC"})
  void tooMuchForOneRequestIsRefused(String profile, Errno errno) {
    try (ExtendedQpFixture small = bedOf(profile)) {
      QpCap cap = small.qp.query().cap();
      assertRefused(
          small,
          errno,
          0,
          "more than the limit of " + cap.maxSendSge(),
          wr ->
              wr.send()
                  .setSgeList(Collections.nCopies(cap.maxSendSge() + 1, small.local.sge(0, 1))));
      assertRefused(
          small,
          errno,
          1,
          "more than the limit of " + cap.maxInlineData(),
          wr -> wr.send().send().setInlineData(ByteBuffer.allocate(cap.maxInlineData() + 1)));

      small.post(wr -> wr.send().setInlineData(ByteBuffer.allocate(cap.maxInlineData())));

      assertThat(small.receives()).last().asString().startsWith("2 RECV " + cap.maxInlineData());
    }
  }

  private static Stream<Arguments> nulls() {
    return Stream.of(
        nulls("sge is null", wr -> wr.send().setSge(null)),
        nulls("sgList is null", wr -> wr.send().setSgeList(null)),
        nulls("sgList is null", wr -> wr.send().setSgeList(Collections.singletonList(null))),
        nulls("bytes is null", wr -> wr.send().setInlineData(null)),
        nulls("parts is null", wr -> wr.send().setInlineDataList(null)),
        nulls("parts is null", wr -> wr.send().setInlineDataList(Collections.singletonList(null))),
        nulls("without WITH_TSO", wr -> wr.sendTso(null, 10)),
        nulls("needs value", wr -> wr.atomicWrite(1, 0, null)),
        nulls("needs placements", wr -> wr.flush(1, 0, 8, null, SelectivityLevel.RANGE)),
        nulls("needs level", wr -> wr.flush(1, 0, 8, Set.of(PlacementType.GLOBAL), null)),
        nulls("needs mw", wr -> wr.bindMw(null, 1, null)),
        nulls("wrFlags got null", wr -> wr.wrFlags((Set<SendFlag>) null).send()),
        nulls("wrFlags got null", wr -> wr.wrFlags((SendFlag[]) null).send()),
        nulls("wrFlags got null", wr -> wr.wrFlags((SendFlag) null).send()),
        nulls("there is no address handle", wr -> wr.send().setUdAddr(null, 1, 1)));
  }

  private static Arguments nulls(String words, Consumer<WrBatch> requests) {
    return Arguments.of(words, requests);
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void nullIsAMistakeOfTheBatch(String words, Consumer<WrBatch> requests) {
    QpType type = words.contains("address") ? QpType.UD : QpType.RC;
    Set<SendOpsFlag> all = type == QpType.UD ? Set.of(SendOpsFlag.WITH_SEND) : ALL_OF_RC;
    try (ExtendedQpFixture every = new ExtendedQpFixture(type, all)) {
      BadWorkRequestException refusal = every.refusalOf(requests);

      assertThat(refusal).hasMessageContaining(words);
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      assertThat(every.sends()).isEmpty();
    }
  }
}

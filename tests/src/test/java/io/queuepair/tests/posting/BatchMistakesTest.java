// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The first mistake fails a whole batch: errno, position and words say which one it was. */
final class BatchMistakesTest {
  private static final Set<SendOpsFlag> SENDS_AND_READS =
      EnumSet.of(
          SendOpsFlag.WITH_SEND, SendOpsFlag.WITH_RDMA_READ, SendOpsFlag.WITH_ATOMIC_FETCH_AND_ADD);

  private static final Set<SendOpsFlag> ALL_OF_RC =
      EnumSet.of(
          SendOpsFlag.WITH_SEND,
          SendOpsFlag.WITH_ATOMIC_WRITE,
          SendOpsFlag.WITH_FLUSH,
          SendOpsFlag.WITH_BIND_MW);

  @AutoClose
  private final ExtendedQpFixture bed = new ExtendedQpFixture(QpType.RC, SENDS_AND_READS);

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

  private void assertEinval(int index, String words, Consumer<WrBatch> requests) {
    assertRefused(bed, Errno.EINVAL, index, words, requests);
  }

  @Test
  void aSetterNeedsARequest() {
    assertEinval(
        0,
        "ibv_wr_set_sge has no request",
        wr -> {
          wr.setSge(bed.local().sge());
          wr.send();
        });
  }

  @Test
  void theFirstOfTwoMistakesIsNamed() {
    assertEinval(
        1,
        "created without WITH_RDMA_WRITE",
        wr -> {
          wr.send();
          wr.rdmaWrite(0, 0);
          wr.rdmaRead(0, 0).setInlineData(ByteBuffer.allocate(1));
        });
    assertEinval(
        0,
        "RDMA_READ on type RC does not have setInlineData, only [setSge]",
        wr -> {
          wr.rdmaRead(0, 0).setInlineData(ByteBuffer.allocate(1)).setUdAddr(null, 0, 0);
          wr.rdmaWrite(0, 0);
        });
  }

  @Test
  void dataIsGivenOnce() {
    assertEinval(
        0,
        "SEND has its data already",
        wr -> wr.send().setSge(bed.local().sge()).setInlineData(ByteBuffer.allocate(1)));
  }

  @Test
  void inlineIsNoFlagOfABatch() {
    assertEinval(
        0, "setInlineData stands for it", wr -> wr.wrFlags(SendFlag.INLINE).send().wrFlags());
    bed.post(wr -> wr.send());
  }

  @Test
  void absurdlyManyBytesAreNotCopied() {
    List<ByteBuffer> parts = Collections.nCopies(4096, ByteBuffer.allocate(1 << 20));

    assertEinval(0, "4294967296 bytes inline are more", wr -> wr.send().setInlineDataList(parts));
  }

  @Test
  void anAtomicIsAboutEightBytes() {
    assertEinval(0, "works on 8 bytes", wr -> wr.atomicFetchAdd(0, 0, 1));
    try (ExtendedQpFixture other =
        new ExtendedQpFixture(
            QpType.RC, EnumSet.of(SendOpsFlag.WITH_SEND, SendOpsFlag.WITH_ATOMIC_WRITE))) {
      assertRefused(
          other,
          Errno.EINVAL,
          0,
          "works on 8 bytes",
          wr ->
              wr.atomicWrite(other.remote().rkey(), other.remote().addr(), ByteBuffer.allocate(4)));
    }
  }

  @Test
  void aDatagramNeedsAHandleThatExists() {
    try (ExtendedQpFixture datagrams =
        new ExtendedQpFixture(QpType.UD, Set.of(SendOpsFlag.WITH_SEND))) {
      BadWorkRequestException none =
          datagrams.refusalOf(wr -> wr.send().setUdAddr(null, datagrams.target().qpNum(), 1));
      datagrams.ah().close();
      BadWorkRequestException gone =
          datagrams.refusalOf(
              wr -> wr.send().setUdAddr(datagrams.ah(), datagrams.target().qpNum(), 1));

      assertThat(none).hasMessageContaining("there is no address handle");
      assertThat(none.errno()).isEqualTo(Errno.EINVAL);
      assertThat(gone).hasMessageContaining("the address handle is gone");
      assertThat(gone.errno()).isEqualTo(Errno.EINVAL);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = QpState.class,
      names = {"RESET", "INIT", "RTR"})
  void nothingIsPostedBeforeRts(QpState state) {
    bed.qp().modify(QpAttr.to(QpState.RESET));
    if (state != QpState.RESET) {
      bed.qp().modify(Attributes.init(QpType.RC));
    }
    if (state == QpState.RTR) {
      bed.qp()
          .modify(Attributes.rtr(QpType.RC, bed.context().queryGid(1, 0), bed.target().qpNum(), 0));
    }

    BadWorkRequestException refusal = bed.refusalOf(wr -> wr.send());

    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refusal).hasMessageContaining("sends are not accepted in state " + state);
  }

  private static ExtendedQpFixture bedOf(String profile) {
    return new ExtendedQpFixture(
        QpType.RC,
        SENDS_AND_READS,
        profile.equals("standard") ? DeviceProfile.standard() : DeviceProfile.softRoce());
  }

  @ParameterizedTest
  @CsvSource({"standard, ENOMEM", "softRoce, ENOSPC"})
  void aBatchThatDoesNotFitIsNotPostedInPart(String profile, Errno errno) {
    try (ExtendedQpFixture small = bedOf(profile)) {
      int capacity = small.qp().query().cap().maxSendWr();
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
    bed.qp().postSend(List.of(SendWr.send(1), SendWr.send(2)));

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
      QpCap cap = small.qp().query().cap();
      assertRefused(
          small,
          errno,
          0,
          "more than the limit of " + cap.maxSendSge(),
          wr ->
              wr.send()
                  .setSgeList(Collections.nCopies(cap.maxSendSge() + 1, small.local().sge(0, 1))));
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

  @Test
  void aMistakeInARequestComesBeforeFlagsThatAreMissingLater() {
    assertEinval(0, "sge is null", wr -> wr.send().setSge(null).wrFlags((Set<SendFlag>) null));
    assertEinval(1, "wrFlags got null", wr -> wr.send().wrFlags((Set<SendFlag>) null).send());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Which requests are refused at once, with which error, and what becomes of their neighbours. */
final class PostTest {
  private static final QpCap SMALL = new QpCap(3, 2, 2, 2, 16);

  private static void assertSendRefused(Pair pair, Errno errno, int index, SendWr... requests) {
    BadWorkRequestException refusal =
        catchThrowableOfType(
            BadWorkRequestException.class, () -> pair.a().qp().postSend(List.of(requests)));

    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(refusal.index()).isEqualTo(index);
    assertThat(refusal.verb()).isEqualTo("ibv_post_send");
  }

  private static void assertReceiveRefused(Pair pair, Errno errno, int index, RecvWr... requests) {
    BadWorkRequestException refusal =
        catchThrowableOfType(
            BadWorkRequestException.class, () -> pair.a().qp().postRecv(List.of(requests)));

    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(refusal.index()).isEqualTo(index);
    assertThat(refusal.verb()).isEqualTo("ibv_post_recv");
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RESET", "INIT", "RTR"})
  void refusesASendBeforeRts(QpState state) {
    try (Pair pair = QpAttributeSamples.pairIn(state)) {
      assertSendRefused(pair, Errno.EINVAL, 0, SendWr.send(1), SendWr.send(2));
    }
  }

  @Test
  void refusesAReceiveInReset() {
    try (Pair pair = QpAttributeSamples.pairIn(QpState.RESET)) {
      assertReceiveRefused(pair, Errno.EINVAL, 0, RecvWr.of(1));
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"INIT", "RTR", "RTS"})
  void takesAReceiveFromInitOn(QpState state) {
    try (Pair pair = QpAttributeSamples.pairIn(state)) {
      pair.a().qp().postRecv(RecvWr.of(1));

      assertThat(pair.a().receives()).isEmpty();
    }
  }

  @Test
  void neverSendsWhatWasRefusedBeforeRts() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).create()) {
      assertSendRefused(pair, Errno.EINVAL, 0, SendWr.send(1));
      pair.connect();
      pair.b().qp().postRecv(RecvWr.of(9));

      pair.drain();

      assertThat(pair.a().sends()).isEmpty();
      assertThat(pair.b().receives()).isEmpty();
    }
  }

  /** A connected pair with queues of three sends and two receives. */
  private static Pair small() {
    return Pair.on(LinkForm.OBJECTS).cap(SMALL).connect();
  }

  @Test
  void refusesASendWhenTheQueueIsFull() {
    try (Pair pair = small()) {
      assertSendRefused(
          pair,
          Errno.ENOMEM,
          3,
          SendWr.send(1),
          SendWr.send(2),
          SendWr.send(3),
          SendWr.send(4),
          SendWr.send(5));
    }
  }

  @Test
  void postsNothingIfARequestIsNull() {
    try (Pair pair = small()) {
      pair.b().qp().postRecv(RecvWr.of(11));

      assertThatNullPointerException()
          .isThrownBy(() -> pair.a().qp().postSend(Arrays.asList(SendWr.send(1), null)))
          .withMessage("wrs");
      pair.drain();

      assertThat(pair.a().sends()).isEmpty();
      assertThat(pair.b().receives()).isEmpty();
    }
  }

  @Test
  void executesTheRequestsBeforeTheRefusedOne() {
    try (Pair pair = small()) {
      pair.b().qp().postRecv(List.of(RecvWr.of(11), RecvWr.of(12)));
      Sge[] tooMany = Collections.nCopies(3, pair.a().region().sge(0, 1)).toArray(Sge[]::new);

      assertSendRefused(
          pair, Errno.EINVAL, 2, SendWr.send(1), SendWr.send(2), SendWr.send(3, tooMany));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("1 SEND", "2 SEND");
      assertThat(pair.b().receives()).containsExactly("11 RECV 0", "12 RECV 0");
    }
  }

  @Test
  void hasRoomAgainWhenSendsCompleted() {
    try (Pair pair = small()) {
      MemoryRegion target = pair.b().region();
      SendWr write = SendWr.rdmaWrite(1, target.addr(), target.rkey());
      for (int round = 0; round < 20; round++) {
        pair.a().qp().postSend(List.of(write, write, write));
        pair.drain();
        assertThat(pair.a().sends()).hasSize(3);
      }
    }
  }

  @Test
  void refusesAReceiveWhenTheQueueIsFull() {
    try (Pair pair = small()) {
      assertReceiveRefused(
          pair, Errno.ENOMEM, 2, RecvWr.of(1), RecvWr.of(2), RecvWr.of(3), RecvWr.of(4));
    }
  }

  @Test
  void refusesMoreScatterEntriesThanTheReceiveQueueHas() {
    try (Pair pair = small()) {
      Sge sge = pair.a().region().sge(0, 1);

      assertReceiveRefused(
          pair, Errno.EINVAL, 1, RecvWr.of(1, sge, sge), RecvWr.of(2, sge, sge, sge));
    }
  }

  @Test
  void takesAsManyEntriesAsGranted() {
    try (Pair pair = small()) {
      Sge sge = pair.a().region().sge(0, 1);
      pair.b().qp().postRecv(RecvWr.of(2, pair.b().region().sge()));

      pair.a().qp().postSend(SendWr.send(1, sge, sge));
      pair.drain();

      assertThat(pair.b().receives()).containsExactly("2 RECV 2");
    }
  }

  @Test
  void refusesMoreInlineDataThanGranted() {
    try (Pair pair = small()) {
      int granted = pair.a().qp().initAttr().cap().maxInlineData();
      SendWr tooMuch =
          SendWr.send(1, pair.a().region().sge(0, granted + 1)).withFlags(SendFlag.INLINE);

      assertSendRefused(pair, Errno.EINVAL, 0, tooMuch);
    }
  }

  @Test
  void takesAsMuchInlineDataAsGranted() {
    try (Pair pair = small()) {
      int granted = pair.a().qp().initAttr().cap().maxInlineData();
      pair.b().qp().postRecv(RecvWr.of(2, pair.b().region().sge()));

      pair.a()
          .qp()
          .postSend(SendWr.send(1, pair.a().region().sge(0, granted)).withFlags(SendFlag.INLINE));
      pair.drain();

      assertThat(pair.b().receives()).containsExactly("2 RECV " + granted);
    }
  }

  @Test
  void refusesAnInlineRead() {
    try (Pair pair = small()) {
      MemoryRegion remote = pair.b().region();
      SendWr read =
          SendWr.rdmaRead(1, remote.addr(), remote.rkey(), pair.a().region().sge(0, 8))
              .withFlags(SendFlag.INLINE);

      assertSendRefused(pair, Errno.EINVAL, 0, read);
    }
  }

  @Test
  void refusesAMessageAboveTwoGigabytes() {
    try (Pair pair = small()) {
      Sge half = new Sge(0, 1 << 30, 0);
      Sge halfAndOne = new Sge(0, (1 << 30) + 1, 0);

      assertSendRefused(pair, Errno.EINVAL, 0, SendWr.send(1, half, halfAndOne));
    }
  }

  @Test
  void refusesAReadIfNoneMayBeOutstanding() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).rts(attr -> attr.maxRdAtomic(0)).connect()) {
      MemoryRegion remote = pair.b().region();

      assertSendRefused(pair, Errno.EINVAL, 0, SendWr.rdmaRead(1, remote.addr(), remote.rkey()));
    }
  }

  @Test
  void looksAtNoKeyAtPostTime() {
    try (Pair pair = small()) {
      pair.a().qp().postRecv(RecvWr.of(1, new Sge(0, 8, 0xdead_beef)));
      pair.a().qp().postSend(SendWr.send(2, new Sge(0, 8, 0xdead_beef)));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("2 LOC_PROT_ERR");
    }
  }

  @Test
  void refusesSendsOfAQueuePairWithoutSendQueue() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).cap(new QpCap(0, 0, 0, 0, 0)).connect()) {
      assertSendRefused(pair, Errno.ENOMEM, 0, SendWr.send(1));
      assertReceiveRefused(pair, Errno.ENOMEM, 0, RecvWr.of(1));
    }
  }
}

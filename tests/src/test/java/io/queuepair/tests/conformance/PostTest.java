// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Which requests are refused at once, with which error, and what becomes of their neighbours. */
final class PostTest {
  /** With queues of three sends and two receives. */
  @AutoClose
  private final Pair pair = Pair.on(LinkForm.OBJECTS).cap(new QpCap(3, 2, 2, 2, 16)).connect();

  private final QueuePair qp = pair.a().qp();
  private final MemoryRegion local = pair.a().region();
  private final MemoryRegion remote = pair.b().region();

  private static void assertRefused(
      String verb, Errno errno, int index, ThrowingCallable postOfSeveral) {
    BadWorkRequestException refusal =
        catchThrowableOfType(BadWorkRequestException.class, postOfSeveral);

    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(refusal.index()).isEqualTo(index);
    assertThat(refusal.verb()).isEqualTo(verb);
  }

  private void assertSendRefused(Errno errno, int index, SendWr... requests) {
    assertRefused("ibv_post_send", errno, index, () -> qp.postSend(List.of(requests)));
  }

  private void assertReceiveRefused(Errno errno, int index, RecvWr... requests) {
    assertRefused("ibv_post_recv", errno, index, () -> qp.postRecv(List.of(requests)));
  }

  @Test
  void refusesASendWhenTheQueueIsFull() {
    assertSendRefused(
        Errno.ENOMEM, 3, Collections.nCopies(5, SendWr.send(1)).toArray(SendWr[]::new));
  }

  @Test
  void postsNothingIfARequestIsNull() {
    pair.b().qp().postRecv(RecvWr.of(11));

    assertThatNullPointerException()
        .isThrownBy(() -> qp.postSend(Arrays.asList(SendWr.send(1), null)))
        .withMessage("wrs");
    pair.drain();

    assertThat(pair.a().sends()).isEmpty();
    assertThat(pair.b().receives()).isEmpty();
  }

  @Test
  void refusesAReceiveWhenTheQueueIsFull() {
    assertReceiveRefused(
        Errno.ENOMEM, 2, Collections.nCopies(4, RecvWr.of(1)).toArray(RecvWr[]::new));
  }

  @Test
  void refusesMoreEntriesThanGrantedAndExecutesWhatIsBefore() {
    Sge sge = local.sge(0, 1);
    pair.b().qp().postRecv(List.of(RecvWr.of(11, remote.sge()), RecvWr.of(12)));

    assertReceiveRefused(Errno.EINVAL, 1, RecvWr.of(1, sge, sge), RecvWr.of(2, sge, sge, sge));
    assertSendRefused(
        Errno.EINVAL, 2, SendWr.send(1, sge, sge), SendWr.send(2), SendWr.send(3, sge, sge, sge));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 SEND", "2 SEND");
    assertThat(pair.b().receives()).containsExactly("11 RECV 2", "12 RECV 0");
  }

  @Test
  void refusesMoreInlineDataThanGranted() {
    int granted = qp.initAttr().cap().maxInlineData();

    assertSendRefused(
        Errno.EINVAL, 0, SendWr.send(1, local.sge(0, granted + 1)).withFlags(SendFlag.INLINE));
  }

  @Test
  void refusesAnInlineRead() {
    SendWr read = SendWr.rdmaRead(1, remote.addr(), remote.rkey(), local.sge(0, 8));

    assertSendRefused(Errno.EINVAL, 0, read.withFlags(SendFlag.INLINE));
  }

  @Test
  void refusesAMessageAboveTwoGigabytes() {
    Sge half = new Sge(0, 1 << 30, 0);
    Sge halfAndOne = new Sge(0, (1 << 30) + 1, 0);

    assertSendRefused(Errno.EINVAL, 0, SendWr.send(1, half, halfAndOne));
  }

  @Test
  void refusesAReadIfNoneMayBeOutstanding() {
    qp.modify(QpAttr.to(QpState.SQD));
    qp.modify(new QpAttr().maxRdAtomic(0));
    qp.modify(QpAttr.to(QpState.RTS));

    assertSendRefused(Errno.EINVAL, 0, SendWr.rdmaRead(1, remote.addr(), remote.rkey()));
  }

  @Test
  void flushesAReadInErrorThatCouldNeverStart() {
    qp.modify(QpAttr.to(QpState.RESET));
    pair.a().toInit();
    qp.modify(QpAttr.to(QpState.ERR));

    qp.postSend(SendWr.rdmaRead(1, 0, 0, local.sge(0, 8)));

    assertThat(pair.a().sends()).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  void refusesSendsOfAQueuePairWithoutSendQueue() {
    try (Pair none = Pair.on(LinkForm.OBJECTS).cap(new QpCap(0, 0, 0, 0, 0)).connect()) {
      QueuePair empty = none.a().qp();
      assertThat(Errnos.of(() -> empty.postSend(SendWr.send(1)))).isEqualTo(Errno.ENOMEM);
      assertThat(Errnos.of(() -> empty.postRecv(RecvWr.of(1)))).isEqualTo(Errno.ENOMEM);
    }
  }
}

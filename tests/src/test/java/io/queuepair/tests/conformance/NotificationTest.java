// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When a completion queue announces itself on its channel. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class NotificationTest {
  private static final boolean ANY = false;
  private static final boolean SOLICITED_ONLY = true;

  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  NotificationTest(LinkForm form) {
    pair = Pair.connected(form);
    local = pair.a().region();
    remote = pair.b().region();
    for (int wrId = 0; wrId < 8; wrId++) {
      pair.b().postRecv(RecvWr.of(wrId, remote.sge()));
    }
  }

  private void send(SendFlag... flags) {
    pair.a().postSend(SendWr.send(1, local.sge(0, 8)).withFlags(flags));
    pair.drain();
  }

  private static Optional<CompletionQueue> announced(TestEndpoint endpoint) {
    return endpoint.channel().getCqEvent(Duration.ZERO);
  }

  static Stream<Function<NotificationTest, SendWr>> solicited() {
    return Stream.of(
        test -> SendWr.send(1, test.local.sge(0, 5000)),
        test -> SendWr.rdmaWriteWithImm(1, test.remote.addr(), test.remote.rkey(), 7));
  }

  @ParameterizedTest
  @MethodSource("solicited")
  void announcesASolicitedMessageOfManyPacketsOrWithoutData(
      Function<NotificationTest, SendWr> request) {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    pair.a().postSend(request.apply(this).withFlags(SendFlag.SOLICITED));
    pair.drain();

    assertThat(announced(pair.b())).isPresent();
    assertThat(announced(pair.b())).isEmpty();
  }

  @Test
  void takesAFailedSendForSolicited() {
    pair.a().sendCq().reqNotify(SOLICITED_ONLY);

    pair.a().postSend(SendWr.rdmaWrite(1, remote.addr(), 0xbad, local.sge(0, 8)));
    pair.drain();

    assertThat(announced(pair.a())).isPresent();
  }

  @Test
  void takesASuccessfulSendForUnsolicited() {
    pair.a().sendCq().reqNotify(SOLICITED_ONLY);

    send(SendFlag.SIGNALED, SendFlag.SOLICITED);

    assertThat(announced(pair.a())).isEmpty();
  }

  @Test
  void keepsTheWiderRequest() {
    pair.b().recvCq().reqNotify(ANY);
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    send();

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void refusesToWaitForWhatCannotCome() {
    assertThat(Errnos.of(() -> pair.b().channel().getCqEvent())).isEqualTo(Errno.EDEADLK);
  }

  @Test
  void refusesARequestWithoutChannel() {
    CompletionQueue silent = pair.a().context().createCq(4);

    assertThat(Errnos.of(() -> silent.reqNotify(ANY))).isEqualTo(Errno.EINVAL);
  }

  /** A queue on that channel that is armed and has completed something of a destroyed user. */
  private CompletionQueue announcing(CompletionChannel channel) {
    CompletionQueue cq = pair.a().context().createCq(4, channel);
    try (QueuePair qp = pair.a().pd().createQp(QpInitAttr.rc(cq, QpCap.of(2)))) {
      qp.modify(QpAttr.to(QpState.ERR));
      cq.reqNotify(ANY);
      qp.postSend(SendWr.send(1));
    }
    return cq;
  }

  @Test
  void forgetsTheAnnouncementsOfADestroyedQueue() {
    CompletionChannel channel = pair.a().context().createCompChannel();

    announcing(channel).close();

    assertThat(channel.getCqEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void keepsAQueueUntilItsAnnouncementsAreAcknowledged() {
    CompletionChannel channel = pair.a().context().createCompChannel();
    CompletionQueue cq = announcing(channel);
    assertThat(channel.getCqEvent()).isSameAs(cq);

    assertThat(Errnos.of(cq::close)).isEqualTo(Errno.EBUSY);
    cq.ackEvents(1);
    cq.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

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
      pair.b().qp().postRecv(RecvWr.of(wrId, remote.sge()));
    }
  }

  private void send(SendFlag... flags) {
    pair.a().qp().postSend(SendWr.send(1, local.sge(0, 8)).withFlags(flags));
    pair.drain();
  }

  private static Optional<CompletionQueue> announced(TestEndpoint endpoint) {
    return endpoint.channel().getCqEvent(Duration.ZERO);
  }

  @Test
  void announcesTheNextCompletion() {
    pair.b().recvCq().reqNotify(ANY);

    send();

    assertThat(announced(pair.b())).containsSame(pair.b().recvCq());
  }

  @Test
  void announcesTheCompletionOfASend() {
    pair.a().sendCq().reqNotify(ANY);

    send(SendFlag.SIGNALED);

    assertThat(announced(pair.a())).containsSame(pair.a().sendCq());
  }

  @Test
  void announcesNothingUnasked() {
    send(SendFlag.SIGNALED, SendFlag.SOLICITED);

    assertThat(announced(pair.a())).isEmpty();
    assertThat(announced(pair.b())).isEmpty();
  }

  @Test
  void announcesOnceForEachRequest() {
    pair.b().recvCq().reqNotify(ANY);

    send();
    send();

    assertThat(announced(pair.b())).isPresent();
    assertThat(announced(pair.b())).isEmpty();
  }

  @Test
  void announcesAgainWhenAskedAgain() {
    pair.b().recvCq().reqNotify(ANY);
    send();
    pair.b().recvCq().reqNotify(ANY);
    send();

    assertThat(announced(pair.b())).isPresent();
    assertThat(announced(pair.b())).isPresent();
    assertThat(announced(pair.b())).isEmpty();
  }

  @Test
  void announcesNothingThatCameBeforeTheRequest() {
    send();

    pair.b().recvCq().reqNotify(ANY);

    assertThat(announced(pair.b())).isEmpty();
  }

  @Test
  void announcesASolicitedMessage() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    send(SendFlag.SOLICITED);

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void passesOverMessagesThatAreNotSolicited() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    send();
    assertThat(announced(pair.b())).isEmpty();
    send(SendFlag.SOLICITED);

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void announcesASolicitedMessageOfManyPackets() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    pair.a().qp().postSend(SendWr.send(1, local.sge(0, 5000)).withFlags(SendFlag.SOLICITED));
    pair.drain();

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void announcesASolicitedWriteWithImmediate() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    pair.a()
        .qp()
        .postSend(
            SendWr.rdmaWriteWithImm(1, remote.addr(), remote.rkey(), 7)
                .withFlags(SendFlag.SOLICITED));
    pair.drain();

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void takesAnErrorForSolicited() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    pair.b().qp().modify(QpAttr.to(QpState.ERR));

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void takesAFailedSendForSolicited() {
    pair.a().sendCq().reqNotify(SOLICITED_ONLY);

    pair.a().qp().postSend(SendWr.rdmaWrite(1, remote.addr(), 0xbad, local.sge(0, 8)));
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
  void prefersTheWiderRequest() {
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);
    pair.b().recvCq().reqNotify(ANY);

    send();

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void keepsTheWiderRequest() {
    pair.b().recvCq().reqNotify(ANY);
    pair.b().recvCq().reqNotify(SOLICITED_ONLY);

    send();

    assertThat(announced(pair.b())).isPresent();
  }

  @Test
  void announcesQueuesInTheOrderOfTheirCompletions() {
    pair.a().qp().postRecv(RecvWr.of(1, local.sge()));
    pair.a().recvCq().reqNotify(ANY);
    pair.a().sendCq().reqNotify(ANY);

    send(SendFlag.SIGNALED);
    pair.b().qp().postSend(SendWr.send(2));
    pair.drain();

    assertThat(announced(pair.a())).containsSame(pair.a().sendCq());
    assertThat(announced(pair.a())).containsSame(pair.a().recvCq());
  }

  @Test
  void waitsForAnAnnouncementInVirtualTime() {
    pair.b().recvCq().reqNotify(ANY);
    pair.a().qp().postSend(SendWr.send(1));

    assertThat(pair.b().channel().getCqEvent()).isSameAs(pair.b().recvCq());
  }

  @Test
  void refusesToWaitForWhatCannotCome() {
    assertThatThrownBy(() -> pair.b().channel().getCqEvent())
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EDEADLK));
  }

  @Test
  void refusesARequestWithoutChannel() {
    CompletionQueue silent = pair.a().context().createCq(4);

    assertThatThrownBy(() -> silent.reqNotify(ANY))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
  }

  @Test
  void forgetsTheAnnouncementsOfADestroyedQueue() {
    CompletionChannel channel = pair.a().context().createCompChannel();
    CompletionQueue cq = pair.a().context().createCq(4, channel);
    QueuePair qp = pair.a().pd().createQp(QpInitAttr.rc(cq, QpCap.of(2)));
    qp.modify(QpAttr.to(QpState.ERR));
    cq.reqNotify(ANY);
    qp.postSend(SendWr.send(1));
    qp.close();

    cq.close();

    assertThat(channel.getCqEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void keepsAQueueUntilItsAnnouncementsAreAcknowledged() {
    CompletionChannel channel = pair.a().context().createCompChannel();
    CompletionQueue cq = pair.a().context().createCq(4, channel);
    QueuePair qp = pair.a().pd().createQp(QpInitAttr.rc(cq, QpCap.of(2)));
    qp.modify(QpAttr.to(QpState.ERR));
    cq.reqNotify(ANY);
    qp.postSend(List.of(SendWr.send(1)));
    channel.getCqEvent();
    qp.close();

    assertThatThrownBy(cq::close)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    cq.ackEvents(1);
    cq.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.AnsweredMessage;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.RejectReason;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Times are those that Linux makes of the codes 20 and 16: 4096 ms, and twice 256 ms for a REQ. */
final class CmEngineTest {
  private final CmHosts hosts = new CmHosts();

  @Test
  void connectsWithThreeMessages() {
    hosts.b.listen(1);

    CmId active = hosts.connect(0x11);
    CmId passive = hosts.accept(0x22);
    hosts.establish(active);

    assertThat(hosts.wire).containsExactly("a>REQ", "b>REP", "a>RTU");
    assertThat(hosts.a.events()).containsExactly(CmEventType.REP_RECEIVED);
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.RTU_RECEIVED);
    assertThat(active.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(passive.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.hasDeadline()).isFalse();
  }

  @Test
  void disconnectsAndRestsBothQueuePairs() {
    CmId[] ends = hosts.established();

    hosts.a.sendDreq(ends[0]);
    hosts.b.sendDrep(ends[1]);

    assertThat(hosts.wire).containsExactly("a>DREQ", "b>DREP");
    assertThat(ends[0].holdsQpn()).isTrue();
    assertThat(hosts.expireNext()).isEqualTo(512);
    assertThat(hosts.a.events())
        .containsExactly(CmEventType.DREP_RECEIVED, CmEventType.TIMEWAIT_EXIT);
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.DREQ_RECEIVED, CmEventType.TIMEWAIT_EXIT);
    assertThat(ends[0].holdsQpn()).isFalse();
  }

  @Test
  void sendsARequestAgainFifteenTimesAndGivesUp() {
    hosts.lost = CmHosts.all(CmKind.REQ);

    CmId active = hosts.connect(0x11);

    assertGivesUpAfterFifteenRetries(hosts.a, 4608);
    assertThat(hosts.wire).filteredOn("a>REQ lost"::equals).hasSize(16);
    assertThat(hosts.a.events()).containsExactly(CmEventType.REQ_ERROR);
    assertThat(hosts.a.last().explanation())
        .isEqualTo("REQ was sent 16 times to 10.0.0.2 in 73.728 s, and no answer came back.");
    assertThat(active.state()).isEqualTo(CmState.IDLE);
    assertThat(hosts.hasDeadline()).isFalse();
  }

  @Test
  void sendsALostReplyAgain() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.REP);

    hosts.connect(0x11);
    hosts.accept(0x22);

    assertThat(hosts.expireNext()).isEqualTo(4096);
    assertThat(hosts.wire).containsExactly("a>REQ", "b>REP lost", "b>REP");
    assertThat(hosts.a.events()).containsExactly(CmEventType.REP_RECEIVED);
  }

  @Test
  void answersARepeatedReplyWithTheLostRtu() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.RTU);
    CmId active = hosts.connect(0x11);
    hosts.accept(0x22);
    hosts.establish(active);

    assertThat(hosts.expireNext()).isEqualTo(4096);

    assertThat(hosts.wire).containsExactly("a>REQ", "b>REP", "a>RTU lost", "b>REP", "a>RTU");
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.RTU_RECEIVED);
  }

  @Test
  void dataStandsForALostRtu() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.all(CmKind.RTU);
    CmId active = hosts.connect(0x11);
    CmId passive = hosts.accept(0x22);
    hosts.establish(active);

    assertThat(hosts.b.engine.notify(passive, hosts.nowNanos)).isTrue();
    hosts.run();

    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.USER_ESTABLISHED);
    assertThat(hosts.b.engine.notify(passive, hosts.nowNanos)).isFalse();
    assertThat(hosts.hasDeadline()).isFalse();
  }

  @Test
  void answersARepeatedRequestWithAnMra() {
    hosts.b.listen(1);
    hosts.connect(0x11);
    hosts.b.engine.prepareMra(hosts.b.last().id(), hosts.nowNanos);

    assertThat(hosts.expireNext()).isEqualTo(4608);

    assertThat(hosts.wire).containsExactly("a>REQ", "a>REQ", "b>MRA");
    assertThat(hosts.a.events()).containsExactly(CmEventType.MRA_RECEIVED);
    assertThat(hosts.a.last().message().get(CmField.MRA_SERVICE_TIMEOUT)).isEqualTo(24);
    assertThat(hosts.b.events()).containsExactly(CmEventType.REQ_RECEIVED);
    assertThat(hosts.expireNext()).isEqualTo(65_536 + 512); // Codes 24 and 17.
  }

  @Test
  void answersARepeatedReplyWithAnMra() {
    hosts.b.listen(1);
    CmId active = hosts.connect(0x11);
    CmId passive = hosts.accept(0x22);
    hosts.a.engine.prepareMra(active, hosts.nowNanos);

    assertThat(hosts.expireNext()).isEqualTo(4096);

    assertThat(hosts.wire).containsExactly("a>REQ", "b>REP", "b>REP", "a>MRA");
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.MRA_RECEIVED);
    CmMessage mra = hosts.b.last().message();
    assertThat(mra.answered()).isEqualTo(AnsweredMessage.REP);
    assertThat(mra.get(CmField.MRA_SERVICE_TIMEOUT)).isEqualTo(24);
    assertThat(passive.state()).isEqualTo(CmState.MRA_REP_RCVD);
    assertThat(hosts.expireNext()).isEqualTo(65_536 + 512); // Codes 24 and 17.
    hosts.establish(active);
    assertThat(passive.state()).isEqualTo(CmState.ESTABLISHED);
    assertThat(hosts.hasDeadline()).isFalse();
  }

  /**
   * {@code cm_acquire_rejected_id} looks for the end of a REJ for timeout by the id of its sender,
   * which was in the lost REP: the active side waits on.
   */
  @Test
  void sendsAReplyAgainFifteenTimesAndGivesUp() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.all(CmKind.REP);
    CmId active = hosts.connect(0x11);
    CmId passive = hosts.accept(0x22);
    hosts.lost = CmHosts.all(CmKind.REP).or(CmHosts.all(CmKind.REQ));
    long start = hosts.nowNanos;

    expireUntil(CmEventType.REP_ERROR, hosts.b);

    assertThat(hosts.nowNanos - start).isEqualTo(16 * 4_096_000_000L);
    assertThat(hosts.wire).filteredOn("b>REP lost"::equals).hasSize(16);
    assertThat(hosts.wire).endsWith("b>REJ");
    assertThat(passive.state()).isEqualTo(CmState.TIMEWAIT);
    assertThat(active.state()).isEqualTo(CmState.REQ_SENT);
    assertThat(hosts.b.events()).containsExactly(CmEventType.REQ_RECEIVED, CmEventType.REP_ERROR);
  }

  @Test
  void asksForAServiceAgainFifteenTimesAndGivesUp() {
    hosts.lost = CmHosts.all(CmKind.SIDR_REQ);
    CmId id = hosts.askForService();

    assertGivesUpAfterFifteenRetries(hosts.a, 4096);

    assertThat(hosts.wire).hasSize(16).containsOnly("a>SIDR_REQ lost");
    assertThat(hosts.a.events()).containsExactly(CmEventType.SIDR_REQ_ERROR);
    assertThat(id.state()).isEqualTo(CmState.IDLE);
    assertThat(hosts.hasDeadline()).isFalse();
  }

  /** The active side waits as for the answer to its REQ, the passive one as for that to its REP. */
  @Test
  void sendsALostDreqAgain() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.first(CmKind.DREQ);

    hosts.b.sendDreq(ends[1]);

    assertThat(hosts.expireNext()).isEqualTo(4096);
    assertThat(hosts.wire).containsExactly("b>DREQ lost", "b>DREQ");
    assertThat(hosts.a.events()).containsExactly(CmEventType.DREQ_RECEIVED);
    hosts.a.sendDrep(ends[0]);
    assertThat(hosts.b.events()).containsExactly(CmEventType.DREP_RECEIVED);
  }

  @Test
  void aDreqThatNobodyAnswersEndsInTheTimeWait() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.all(CmKind.DREQ);
    hosts.b.sendDreq(ends[1]);

    assertGivesUpAfterFifteenRetries(hosts.b, 4096);

    assertThat(hosts.b.events()).containsExactly(CmEventType.DREQ_ERROR);
    assertThat(ends[1].state()).isEqualTo(CmState.TIMEWAIT);
    assertThat(ends[1].holdsQpn()).isTrue();
    assertThat(hosts.expireNext()).isEqualTo(512);
    assertThat(ends[1].holdsQpn()).isFalse();
  }

  @Test
  void sendsALostDrepAgainInTheTimeWait() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.first(CmKind.DREP);
    hosts.a.sendDreq(ends[0]);
    hosts.b.sendDrep(ends[1]);

    expireUntil(CmEventType.DREP_RECEIVED, hosts.a);

    assertThat(hosts.wire).containsExactly("a>DREQ", "b>DREP lost", "a>DREQ", "b>DREP");
    assertThat(hosts.b.events())
        .as("the program is asked once")
        .containsExactly(CmEventType.DREQ_RECEIVED, CmEventType.TIMEWAIT_EXIT);
  }

  private void assertGivesUpAfterFifteenRetries(CmHosts.CmHost host, long millis) {
    for (int retry = 0; retry < 15; retry++) {
      assertThat(hosts.expireNext()).isEqualTo(millis);
      assertThat(host.events()).isEmpty();
    }
    assertThat(hosts.expireNext()).isEqualTo(millis);
  }

  private void expireUntil(CmEventType type, CmHosts.CmHost host) {
    while (!host.events().contains(type)) {
      assertThat(hosts.hasDeadline()).as("something is still to happen").isTrue();
      hosts.expireNext();
    }
  }

  @Test
  void sendsALostRejectionAgainWithoutAskingTwice() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.REJ);
    hosts.connect(0x11);

    ImmutableBytes bytes = ImmutableBytes.of(new byte[] {7});
    hosts.b.engine.sendRej(
        hosts.b.last().id(), RejectReason.CONSUMER_DEFINED, bytes, hosts.nowNanos);
    hosts.run();

    assertThat(hosts.expireNext()).isEqualTo(4608);
    assertThat(hosts.wire).containsExactly("a>REQ", "b>REJ lost", "a>REQ", "b>REJ");
    assertThat(hosts.b.events()).containsExactly(CmEventType.REQ_RECEIVED);
    assertThat(hosts.a.events()).containsExactly(CmEventType.REJ_RECEIVED);
    CmMessage rej = hosts.a.last().message();
    assertThat(rej.get(CmField.REJ_REASON)).isEqualTo(28);
    assertThat(rej.answered()).isEqualTo(AnsweredMessage.REQ);
    assertThat(rej.privateData().first(1)).isEqualTo(bytes);
    assertThat(hosts.a.last().explanation())
        .isEqualTo("10.0.0.2 sent a REJ, reason 28: its program rejected the connection.");
  }

  /** The peer may ask for as long as after an MRA. */
  @Test
  void remembersARejectionUntilThePeerGivesUp() {
    hosts.b.listen(1);
    hosts.connect(0x11);
    hosts.b.engine.prepareMra(hosts.b.last().id(), hosts.nowNanos);
    hosts.expireNext();
    assertThat(hosts.wire).containsExactly("a>REQ", "a>REQ", "b>MRA");

    hosts.lost = CmHosts.all(CmKind.REJ);
    hosts.b.engine.sendRej(
        hosts.b.last().id(), RejectReason.CONSUMER_DEFINED, ImmutableBytes.EMPTY, hosts.nowNanos);
    hosts.run();
    expireUntil(CmEventType.REQ_ERROR, hosts.a);

    assertThat(hosts.b.events()).containsExactly(CmEventType.REQ_RECEIVED);
  }

  @Test
  void rejectsWhatNobodyListensFor() {
    hosts.connect(0x11);

    assertThat(hosts.a.events()).containsExactly(CmEventType.REJ_RECEIVED);
    assertThat(hosts.a.last().message().get(CmField.REJ_REASON)).isEqualTo(8);
    assertThat(hosts.b.engine.size()).isZero();
  }

  @Test
  void dropsRequestsBeyondTheBacklog() {
    hosts.b.listen(1);

    hosts.connect(0x11);
    hosts.connect(0x12);

    assertThat(hosts.b.events).hasSize(1);
    assertThat(hosts.b.engine.size()).isEqualTo(1);
    hosts.accept(0x22);
    hosts.expireNext(); // The first reply, again.
    hosts.expireNext();
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.REQ_RECEIVED);
  }

  @Test
  void rejectsAQueuePairThatIsConnectedAlreadyAndEndsTheStaleConnection() {
    CmId[] ends = hosts.established();

    CmId second = hosts.connect(0x11);

    assertThat(hosts.wire).startsWith("a>REQ", "b>REJ", "b>DREQ");
    assertThat(ends[1].state()).isEqualTo(CmState.DREQ_SENT);
    CmEvent rejected = hosts.a.events.get(0);
    assertThat(rejected.id()).isSameAs(second);
    assertThat(rejected.message().get(CmField.REJ_REASON)).isEqualTo(10);
  }

  /** {@code cm_rep_handler}: the new connection is refused, and the old one asked to end. */
  @Test
  void rejectsAReplyOfAQueuePairThatIsConnectedAlreadyAndEndsTheStaleConnection() {
    CmId[] ends = hosts.established();
    CmId second = hosts.connect(0x12);

    CmId accepted = hosts.accept(0x22);

    assertThat(hosts.wire).startsWith("a>REQ", "b>REP", "a>REJ", "a>DREQ");
    assertThat(ends[0].state()).isEqualTo(CmState.DREQ_SENT);
    assertThat(second.state()).isEqualTo(CmState.REQ_SENT);
    CmEvent rejected =
        hosts.b.events.stream()
            .filter(event -> event.type() == CmEventType.REJ_RECEIVED)
            .findFirst()
            .orElseThrow();
    assertThat(rejected.id()).isSameAs(accepted);
    CmMessage rej = rejected.message();
    assertThat(rej.get(CmField.REJ_REASON)).isEqualTo(10);
    assertThat(rej.answered()).isEqualTo(AnsweredMessage.REP);
  }

  @Test
  void bothSidesMayDisconnectAtTheSameTime() {
    CmId[] ends = hosts.established();

    hosts.a.engine.sendDreq(ends[0], hosts.nowNanos);
    hosts.b.sendDreq(ends[1]);

    assertThat(ends[0].state()).isEqualTo(CmState.TIMEWAIT);
    assertThat(ends[1].state()).isEqualTo(CmState.TIMEWAIT);
    hosts.expireNext();
    assertThat(hosts.a.events()).endsWith(CmEventType.TIMEWAIT_EXIT);
    assertThat(hosts.b.events()).endsWith(CmEventType.TIMEWAIT_EXIT);
  }

  @Test
  void answersADreqForWhatHasEnded() {
    CmId[] ends = hosts.established();
    hosts.lost = CmHosts.first(CmKind.DREP);
    hosts.a.sendDreq(ends[0]);

    hosts.b.destroy(ends[1]);
    hosts.expireNext(); // The time-wait of the passive side.
    assertThat(hosts.b.engine.size()).isZero();
    hosts.expireNext();

    assertThat(hosts.wire).containsExactly("a>DREQ", "b>DREP lost", "a>DREQ", "b>DREP");
    assertThat(hosts.a.events()).contains(CmEventType.DREP_RECEIVED);
  }

  @Test
  void aDestroyedEndTellsItsPeerInEveryState() {
    hosts.b.listen(8);
    CmId early = hosts.connect(0x11);
    hosts.a.destroy(early);
    assertThat(hosts.b.events())
        .containsExactly(CmEventType.REQ_RECEIVED, CmEventType.REJ_RECEIVED);
    assertThat(hosts.b.last().message().get(CmField.REJ_REASON)).isEqualTo(4);

    hosts.connect(0x12);
    hosts.b.destroy(hosts.b.last().id());
    assertThat(hosts.a.last().message().get(CmField.REJ_REASON)).isEqualTo(28);

    CmId late = hosts.connect(0x13);
    hosts.accept(0x23);
    hosts.establish(late);
    hosts.a.destroy(late);
    assertThat(hosts.b.last().type()).isEqualTo(CmEventType.DREQ_RECEIVED);
  }

  @Test
  void leavesNothingWhenAPeerDies() {
    CmId[] ends = hosts.established();
    hosts.lost = mad -> true;

    hosts.a.destroy(ends[0]);
    while (hosts.a.engine.hasDeadline()) {
      hosts.expireNext();
    }

    assertThat(hosts.wire).filteredOn("a>DREQ lost"::equals).hasSize(16);
    assertThat(hosts.a.events()).containsExactly(CmEventType.DREQ_ERROR, CmEventType.TIMEWAIT_EXIT);
    assertThat(hosts.a.engine.size()).isZero();
  }

  @Test
  void resolvesAServiceAndRepeatsALostAnswer() {
    hosts.b.listen(1);
    hosts.lost = CmHosts.first(CmKind.SIDR_REP);
    hosts.askForService();
    CmId asked = hosts.b.last().id();

    hosts.b.engine.sendSidrRep(asked, hosts.sidrRep(asked, 0x33), hosts.nowNanos);
    hosts.run();

    assertThat(hosts.expireNext()).isEqualTo(4096);
    assertThat(hosts.wire)
        .containsExactly("a>SIDR_REQ", "b>SIDR_REP lost", "a>SIDR_REQ", "b>SIDR_REP");
    assertThat(hosts.b.events()).containsExactly(CmEventType.SIDR_REQ_RECEIVED);
    assertThat(hosts.a.events()).containsExactly(CmEventType.SIDR_REP_RECEIVED);
  }

  /** A request may have the number of one that was forgotten long ago. */
  @Test
  void forgetsADatagramRequestWithItsAnswer() {
    hosts.b.listen(1);
    CmMessage req = CmMessage.of(CmKind.SIDR_REQ).set(CmField.SIDR_REQ_REQUEST_ID, 7);
    hosts.b.receive(hosts.a.asPeer(), req);
    CmId first = hosts.b.last().id();
    hosts.b.destroy(first);
    hosts.expireNext();
    assertThat(hosts.b.engine.size()).isZero();

    hosts.b.receive(hosts.a.asPeer(), req);

    assertThat(hosts.b.last().type()).isEqualTo(CmEventType.SIDR_REQ_RECEIVED);
    assertThat(hosts.b.last().id()).isNotSameAs(first);
    assertThat(hosts.b.engine.size()).isEqualTo(1);
  }

  /** The program has not destroyed it, so that its number is its own still. */
  @Test
  void remembersAnEndThatWasRejectedUntilItIsDestroyed() {
    CmId rejected = hosts.connect(0x11);
    assertThat(rejected.state()).isEqualTo(CmState.IDLE);
    hosts.wire.clear();
    CmMessage dreq =
        CmMessage.of(CmKind.DREQ, 9, rejected.localCommId()).set(CmField.DREQ_REMOTE_QPN, 0x11);

    hosts.a.receive(hosts.b.asPeer(), dreq);
    assertThat(hosts.wire).isEmpty();
    assertThat(hosts.a.engine.size()).isEqualTo(1);

    hosts.a.engine.destroy(rejected, hosts.nowNanos);
    hosts.a.receive(hosts.b.asPeer(), dreq);
    assertThat(hosts.wire).startsWith("a>DREP");
    assertThat(hosts.a.engine.size()).isZero();
  }

  /** IBA, 12.7.27: the REQ says how often a message of the peer may be sent again. */
  @Test
  void sendsAReplyAgainAsOftenAsTheRequestSays() {
    hosts.b.listen(1);
    CmId active = hosts.a.engine.create();
    CmMessage req = hosts.req(active, 0x11).set(CmField.REQ_MAX_CM_RETRIES, 1);
    hosts.a.engine.sendReq(active, hosts.b.asPeer(), req, hosts.nowNanos);
    hosts.run();
    hosts.lost = CmHosts.all(CmKind.REP);

    hosts.accept(0x22);
    hosts.b.engine.expire(hosts.nowNanos + 4_096_000_000L);
    hosts.run();
    assertThat(hosts.b.events()).doesNotContain(CmEventType.REP_ERROR);
    hosts.b.engine.expire(hosts.nowNanos + 2 * 4_096_000_000L);
    hosts.run();

    assertThat(hosts.b.events()).contains(CmEventType.REP_ERROR);
    assertThat(Collections.frequency(hosts.wire, "b>REP lost")).isEqualTo(2);
  }

  /**
   * A stranger connects and disconnects, and says that acknowledgements take 2.3 hours. What stays
   * behind has a limit, and so has what waits for a peer that never answers.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLimitedNumberOfEndsLastAsLongAsPeersSay(boolean disconnects) {
    hosts.b.listen(1);
    int ends = CmIds.MAX_TIMED_BY_PEER + 100;
    if (!disconnects) {
      hosts.lost = CmHosts.all(CmKind.REP);
    }
    for (int request = 0; request < ends; request++) {
      CmId active = hosts.a.engine.create();
      CmMessage req =
          hosts
              .req(active, request + 1)
              .set(CmField.REQ_LOCAL_CM_RESPONSE_TIMEOUT, 31)
              .set(CmField.REQ_PRIMARY_LOCAL_ACK_TIMEOUT, 31);
      hosts.a.engine.sendReq(active, hosts.b.asPeer(), req, hosts.nowNanos);
      hosts.run();
      CmId passive = hosts.accept(request + 1);
      if (disconnects) {
        hosts.establish(active);
        hosts.a.engine.sendDreq(active, hosts.nowNanos);
        hosts.run();
      }
      hosts.b.destroy(passive);
      hosts.a.destroy(active);
      hosts.wire.clear();
      hosts.a.events.clear();
      hosts.b.events.clear();
    }

    assertThat(hosts.b.engine.size()).isEqualTo(CmIds.MAX_TIMED_BY_PEER);
    assertThat(hosts.b.displaced).isEqualTo(100);
  }

  @Test
  void remembersALimitedNumberOfAnswers() {
    hosts.b.listen(1);
    for (int request = 0; request < 2 * CmIds.MAX_ANSWERED; request++) {
      hosts.connect(request + 1);
      CmId asked = hosts.b.last().id();
      hosts.b.destroy(asked);
      hosts.wire.clear();
      hosts.b.events.clear();
    }

    assertThat(hosts.b.engine.size()).isEqualTo(CmIds.MAX_ANSWERED);
  }

  @Test
  void computesAckTimeoutsAsLinux() {
    assertThat(CmTimeouts.ackTimeout(15, 16)).isEqualTo(17);
    assertThat(CmTimeouts.ackTimeout(15, 18)).isEqualTo(19); // As recorded: cm_rping.pcapng.
    assertThat(CmTimeouts.ackTimeout(17, 16)).isEqualTo(18);
    assertThat(CmTimeouts.ackTimeout(31, 31)).isEqualTo(31);
  }
}

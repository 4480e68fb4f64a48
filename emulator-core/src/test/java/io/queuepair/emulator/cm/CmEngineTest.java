// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import java.util.Collections;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times are those that Linux makes of the codes 20 and 16: 4096 ms, and twice 256 ms for a REQ. */
final class CmEngineTest {
  private final CmHosts hosts = new CmHosts();

  @BeforeEach
  void listen() {
    hosts.b.listen(1);
  }

  /** Calls of programs, and all that is sent and reported then. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          connect 11; accept 22; rtu; state ab; deadline | a>REQ; b REQ_RECEIVED; b>REP; \
          a REP_RECEIVED; a>RTU; b RTU_RECEIVED; ESTABLISHED; ESTABLISHED; none
          # Both queue pairs rest.
          connected; dreq a; drep b; qpn ab; next; qpn ab | a>DREQ; b DREQ_RECEIVED; b>DREP; \
          a DREP_RECEIVED; held; held; +512; a TIMEWAIT_EXIT; b TIMEWAIT_EXIT; free; free
          # Lost replies and RTUs; data stands for an RTU.
          lose REP once; connect 11; accept 22; next | a>REQ; b REQ_RECEIVED; b>REP lost; +4096; \
          b>REP; a REP_RECEIVED
          lose RTU once; connect 11; accept 22; rtu; next | a>REQ; b REQ_RECEIVED; b>REP; \
          a REP_RECEIVED; a>RTU lost; +4096; b>REP; a>RTU; b RTU_RECEIVED
          lose RTU; connect 11; accept 22; rtu; notify; notify; deadline | a>REQ; b REQ_RECEIVED; \
          b>REP; a REP_RECEIVED; a>RTU lost; notified true; b USER_ESTABLISHED; notified false; none
          # An MRA answers what is repeated: codes 24 and 17.
          connect 11; mra b; next; deadline | a>REQ; b REQ_RECEIVED; +4608; a>REQ; b>MRA; \
          a MRA_RECEIVED REQ; +66048
          connect 11; accept 22; mra a; next; state b; deadline; rtu; state b; deadline \
          | a>REQ; b REQ_RECEIVED; b>REP; a REP_RECEIVED; +4096; b>REP; a>MRA; \
          b MRA_RECEIVED REP; MRA_REP_RCVD; +66048; a>RTU; b RTU_RECEIVED; ESTABLISHED; none
          # The active side waits as for the answer to its REQ, the passive one as to its REP.
          connected; lose DREQ once; dreq b; next; drep a | b>DREQ lost; +4096; b>DREQ; \
          a DREQ_RECEIVED; a>DREP; b DREP_RECEIVED
          # The program is asked once.
          connected; lose DREP once; dreq a; drep b; next; next | a>DREQ; b DREQ_RECEIVED; \
          b>DREP lost; +512; b TIMEWAIT_EXIT; +4096; a>DREQ; b>DREP; a DREP_RECEIVED
          lose REJ once; connect 11; reject; next | a>REQ; b REQ_RECEIVED; b>REJ lost; +4608; \
          a>REQ; b>REJ; a REJ_RECEIVED REQ 28
          # Beyond the backlog.
          connect 11; connect 12; ends b; accept 22; next; next | a>REQ; b REQ_RECEIVED; a>REQ; \
          1 ends; b>REP; a REP_RECEIVED; +4096; b>REP; +512; a>REQ; b REQ_RECEIVED
          # A queue pair that is connected already: the stale connection ends.
          connected; connect 11; state ab | a>REQ; b>REJ; b>DREQ; a REJ_RECEIVED REQ 10; \
          a DREQ_RECEIVED; TIMEWAIT; DREQ_SENT
          connected; connect 12; accept 22; state a | a>REQ; b REQ_RECEIVED; b>REP; a>REJ; a>DREQ; \
          b REJ_RECEIVED REP 10; b DREQ_RECEIVED; REQ_SENT
          # At the same time.
          connected; dreq ab; state ab; next | a>DREQ; b DREQ_RECEIVED; b>DREQ; b>DREP; \
          a DREQ_RECEIVED; a>DREP; TIMEWAIT; TIMEWAIT; +512; a TIMEWAIT_EXIT; b TIMEWAIT_EXIT
          # An end that is gone.
          connected; lose DREP once; dreq a; destroy b; next; ends b; next | a>DREQ; \
          b DREQ_RECEIVED; b>DREP lost; +512; b TIMEWAIT_EXIT; 0 ends; +4096; \
          a>DREQ; b>DREP; a DREP_RECEIVED
          connect 11; destroy a | a>REQ; b REQ_RECEIVED; a>REJ; b REJ_RECEIVED OTHER 4
          connect 11; destroy b | a>REQ; b REQ_RECEIVED; b>REJ; a REJ_RECEIVED REQ 28
          connected; destroy a  | a>DREQ; b DREQ_RECEIVED
          lose SIDR_REP once; ask; serve; next | a>SIDR_REQ; b SIDR_REQ_RECEIVED; \
          b>SIDR_REP lost; +4096; a>SIDR_REQ; b>SIDR_REP; a SIDR_REP_RECEIVED
          # A host ends with its process: what it sent last is sent three times, not if it is old.
          connected; lose DREP once; dreq a; drep b; shutdown b | a>DREQ; b DREQ_RECEIVED; \
          b>DREP lost; b>DREP; b>DREP; a DREP_RECEIVED
          connected; lose DREQ once; dreq a; destroy a; shutdown a | a>DREQ lost; a>DREQ; a>DREQ; \
          b DREQ_RECEIVED
          connected; shutdown a | a>DREQ; a>DREQ; a>DREQ; b DREQ_RECEIVED
          lose REJ once; connect 11; shutdown b | a>REQ; b REQ_RECEIVED; b>REJ lost; b>REJ; b>REJ; \
          a REJ_RECEIVED REQ 28
          lose SIDR_REP once; ask; serve; shutdown b | a>SIDR_REQ; b SIDR_REQ_RECEIVED; \
          b>SIDR_REP lost; b>SIDR_REP; b>SIDR_REP; a SIDR_REP_RECEIVED
          connect 11; reject; wait 9216; shutdown b | a>REQ; b REQ_RECEIVED; b>REJ; \
          a REJ_RECEIVED REQ 28
          """)
  void hostsSayToEachOther(String script, String log) {
    assertThat(hosts.play(script)).isEqualTo(log);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lose REQ; connect 11             | a>REQ lost      | 4608 | a>REJ; a REQ_ERROR; IDLE
          lose SIDR_REQ; ask               | a>SIDR_REQ lost | 4096 | a SIDR_REQ_ERROR; IDLE
          connected; lose DREQ; dreq a     | a>DREQ lost     | 4608 | a DREQ_ERROR; TIMEWAIT
          """)
  void sendsAgainFifteenTimesAndGivesUp(String script, String sent, long millis, String end) {
    String log = hosts.play(script + "; next".repeat(16) + "; state a");

    String wait = "; +" + millis + "; ";
    assertThat(log).isEqualTo(sent + (wait + sent).repeat(15) + wait + end);
  }

  @Test
  void eventsAreExplained() {
    hosts.play("connect 11; reject");
    assertThat(hosts.a.last().explanation())
        .isEqualTo("10.0.0.2 sent a REJ, reason 28: its program rejected the connection.");

    hosts.play("lose REQ; connect 12" + "; next".repeat(16));
    assertThat(hosts.a.last().explanation())
        .isEqualTo("REQ was sent 16 times to 10.0.0.2 in 73.728 s, and no answer came back.");
  }

  /**
   * {@code cm_acquire_rejected_id} looks for the end of a REJ for timeout by the id of its sender,
   * which was in the lost REP: the active side waits on.
   */
  @Test
  void sendsAReplyAgainFifteenTimesAndGivesUp() {
    CmId active = hosts.connect(0x11);
    hosts.lost = CmHosts.all(CmKind.REP).or(CmHosts.all(CmKind.REQ));
    CmId passive = hosts.accept(0x22);
    long start = hosts.nowNanos;

    expireUntil(CmEventType.REP_ERROR, hosts.b);

    assertThat(hosts.nowNanos - start).isEqualTo(16 * 4_096_000_000L);
    assertThat(hosts.wire).filteredOn("b>REP lost"::equals).hasSize(16);
    assertThat(hosts.wire).endsWith("b>REJ");
    assertThat(passive.state()).isEqualTo(CmState.TIMEWAIT);
    assertThat(active.state()).isEqualTo(CmState.REQ_SENT);
  }

  private void expireUntil(CmEventType type, CmHosts.CmHost host) {
    while (!host.events().contains(type)) {
      assertThat(hosts.hasDeadline()).as("something is still to happen").isTrue();
      hosts.expireNext();
    }
  }

  /** The peer may ask for as long as after an MRA. */
  @Test
  void remembersARejectionUntilThePeerGivesUp() {
    hosts.play("connect 11; mra b; next; lose REJ; reject");

    expireUntil(CmEventType.REQ_ERROR, hosts.a);

    // Of the 16 requests two came before the rejection; each of the others is answered again.
    assertThat(hosts.wire).filteredOn("b>REJ lost"::equals).hasSize(1 + 14);
    assertThat(hosts.b.events()).containsExactly(CmEventType.REQ_RECEIVED);
  }

  @Test
  void rejectsWhatNobodyListensFor() {
    hosts.b.listener = null;

    assertThat(hosts.play("connect 11; ends b"))
        .isEqualTo("a>REQ; b>REJ; a REJ_RECEIVED REQ 8; 0 ends");
  }

  @Test
  void leavesNothingWhenAPeerDies() {
    hosts.play("connected");
    hosts.lost = message -> true;

    hosts.play("destroy a");
    while (hosts.a.engine.hasDeadline()) {
      hosts.expireNext();
    }

    assertThat(hosts.wire).filteredOn("a>DREQ lost"::equals).hasSize(16);
    assertThat(hosts.a.events()).containsExactly(CmEventType.DREQ_ERROR, CmEventType.TIMEWAIT_EXIT);
    assertThat(hosts.a.engine.size()).isZero();
  }

  /** A request may have the number of one that was forgotten long ago. */
  @Test
  void forgetsADatagramRequestWithItsAnswer() {
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
    hosts.b.listener = null;
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

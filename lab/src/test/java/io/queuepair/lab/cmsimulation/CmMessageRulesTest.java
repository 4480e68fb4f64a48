// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules by which the simulation judges messages: a device that breaks one is noticed. */
final class CmMessageRulesTest {
  private static final InetAddress ACTIVE = IpAddress.parse(CmSimulation.ACTIVE);
  private static final InetAddress PASSIVE = IpAddress.parse(CmSimulation.PASSIVE);
  private static final int ACTIVES_ID = 0x11;
  private static final int PASSIVES_ID = 0x22;
  private static final int QPN = 0x33;

  private static final CmMessage REQ =
      CmMessage.of(CmKind.REQ)
          .set(CmField.REQ_LOCAL_COMM_ID, ACTIVES_ID)
          .set(CmField.REQ_LOCAL_QPN, QPN);
  private static final CmMessage REP =
      CmMessage.of(CmKind.REP, PASSIVES_ID, ACTIVES_ID).set(CmField.REP_LOCAL_QPN, QPN);
  private static final CmMessage RTU = CmMessage.of(CmKind.RTU, ACTIVES_ID, PASSIVES_ID);
  private static final CmMessage DREQ = dreq(ACTIVES_ID, PASSIVES_ID);
  private static final CmMessage DREP = CmMessage.of(CmKind.DREP, PASSIVES_ID, ACTIVES_ID);

  private final CmRetransmissions retransmissions = new CmRetransmissions();
  private final CmAnswersOwed owed = new CmAnswersOwed();

  private static CmMessage dreq(int localCommId, int remoteCommId) {
    return CmMessage.of(CmKind.DREQ, localCommId, remoteCommId).set(CmField.DREQ_REMOTE_QPN, QPN);
  }

  private static CmMessage rej(int localCommId, int remoteCommId, RejectReason reason) {
    return CmMessage.of(CmKind.REJ, localCommId, remoteCommId)
        .set(CmField.REJ_REASON, reason.code());
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void request(long millis) {
    retransmissions.sent(ACTIVE, PASSIVE, REQ, nanos(millis));
  }

  private void assertOwed(String what) {
    assertThatThrownBy(() -> owed.verify(nanos(2)))
        .isInstanceOf(Violation.class)
        .hasMessage("a " + what + " that was lost is not sent again");
  }

  private void assertNothingOwed() {
    assertThatCode(() -> owed.verify(nanos(2))).doesNotThrowAnyException();
  }

  @Test
  void aRequestComesAgainAfter4608Milliseconds() {
    request(0);
    request(4608);

    assertThatThrownBy(() -> request(4608 + 4096))
        .hasMessage("a REQ comes again after 4096 ms, not 4608");
  }

  @Test
  void anMraPutsOffTheNextRequest() {
    request(0);
    CmMessage mra =
        CmMessage.of(CmKind.MRA, PASSIVES_ID, ACTIVES_ID).set(CmField.MRA_SERVICE_TIMEOUT, 24);
    retransmissions.arrived(ACTIVE, mra, nanos(10));

    assertThatThrownBy(() -> request(4608))
        .hasMessage("a REQ comes again after 4598 ms, not 65536");
  }

  @Test
  void aRequestIsSentSixteenTimes() {
    for (int i = 0; i < 15; i++) {
      request(4608L * i);
    }
    assertThatThrownBy(() -> retransmissions.verifyExhausted(ACTIVE, CmKind.REQ, ACTIVES_ID))
        .hasMessage("given up after 15 times of a REQ");

    request(4608L * 15);
    assertThatThrownBy(() -> request(4608L * 16)).hasMessage("a REQ is sent 17 times");
  }

  private static Consumer<CmAnswersOwed> sent(InetAddress from, CmMessage message) {
    return owed -> owed.sent(from, message);
  }

  private static Consumer<CmAnswersOwed> arrived(InetAddress at, CmMessage message) {
    return owed -> owed.arrived(at, message, 0);
  }

  private static Stream<Arguments> answers() {
    CmMessage lookup = CmMessage.of(CmKind.SIDR_REQ).set(CmField.SIDR_REQ_REQUEST_ID, ACTIVES_ID);
    CmMessage found = CmMessage.of(CmKind.SIDR_REP).set(CmField.SIDR_REP_REQUEST_ID, ACTIVES_ID);
    CmMessage rej = rej(0, ACTIVES_ID, RejectReason.CONSUMER_DEFINED);
    var reply = sent(PASSIVE, DREP);
    return Stream.of(
        arguments(List.of(sent(ACTIVE, RTU)), arrived(ACTIVE, REP), "RTU", sent(ACTIVE, RTU)),
        arguments(List.of(arrived(PASSIVE, DREQ), reply), arrived(PASSIVE, DREQ), "DREP", reply),
        // A side that disconnects answers the DREQ of the peer.
        arguments(
            List.of(sent(PASSIVE, dreq(PASSIVES_ID, ACTIVES_ID))),
            arrived(PASSIVE, DREQ),
            "DREP",
            reply),
        arguments(List.of(sent(PASSIVE, rej)), arrived(PASSIVE, REQ), "REJ", sent(PASSIVE, rej)),
        arguments(
            List.of(sent(PASSIVE, found)),
            arrived(PASSIVE, lookup),
            "SIDR_REP",
            sent(PASSIVE, found)));
  }

  @ParameterizedTest
  @MethodSource("answers")
  void whatComesAgainIsAnsweredAgain(
      List<Consumer<CmAnswersOwed>> before,
      Consumer<CmAnswersOwed> again,
      String what,
      Consumer<CmAnswersOwed> answer) {
    before.forEach(event -> event.accept(owed));
    assertNothingOwed();

    again.accept(owed);
    assertOwed(what);

    answer.accept(owed);
    assertNothingOwed();
  }

  @Test
  void whoDisconnectsOwesNoRtu() {
    owed.sent(ACTIVE, RTU);
    owed.sent(ACTIVE, DREQ);
    owed.arrived(ACTIVE, REP, 0);

    assertNothingOwed();
  }

  @Test
  void sixteenDreqsNotifyOfTheEndOfAConnection() {
    for (int i = 0; i < 15; i++) {
      retransmissions.sent(ACTIVE, PASSIVE, DREQ, nanos(4096L * i));
    }
    assertThat(retransmissions.hasNotified(PASSIVE, QPN)).isFalse();

    retransmissions.sent(ACTIVE, PASSIVE, DREQ, nanos(4096L * 15));
    assertThat(retransmissions.hasNotified(PASSIVE, QPN)).isTrue();
  }

  @Test
  void aRejectionNotifiesOfTheEndOfAConnection() {
    retransmissions.sent(PASSIVE, ACTIVE, REP, 0);
    CmMessage rej = rej(ACTIVES_ID, PASSIVES_ID, RejectReason.TIMEOUT);
    retransmissions.sent(ACTIVE, PASSIVE, rej, 0);

    assertThat(retransmissions.hasNotified(PASSIVE, QPN)).isTrue();
  }
}

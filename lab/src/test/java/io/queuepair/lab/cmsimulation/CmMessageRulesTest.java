// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

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

  @Test
  void aRepeatedReplyIsAnsweredWithAnotherRtu() {
    owed.sent(ACTIVE, RTU);
    owed.arrived(ACTIVE, REP, 0);
    assertOwed("RTU");

    owed.sent(ACTIVE, RTU);
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
  void aRepeatedDreqIsAnsweredAgain() {
    owed.arrived(PASSIVE, DREQ, 0);
    assertNothingOwed();
    owed.sent(PASSIVE, DREP);
    owed.arrived(PASSIVE, DREQ, 0);
    assertOwed("DREP");

    owed.sent(PASSIVE, DREP);
    assertNothingOwed();
  }

  @Test
  void whoDisconnectsAnswersTheDreqOfThePeer() {
    owed.sent(PASSIVE, dreq(PASSIVES_ID, ACTIVES_ID));
    owed.arrived(PASSIVE, DREQ, 0);

    assertOwed("DREP");
  }

  @Test
  void aRepeatedRequestIsRejectedAgain() {
    CmMessage rej = rej(0, ACTIVES_ID, RejectReason.CONSUMER_DEFINED);
    owed.sent(PASSIVE, rej);
    owed.arrived(PASSIVE, REQ, 0);
    assertOwed("REJ");

    owed.sent(PASSIVE, rej);
    assertNothingOwed();
  }

  @Test
  void aRepeatedLookupIsAnsweredAgain() {
    CmMessage req = CmMessage.of(CmKind.SIDR_REQ).set(CmField.SIDR_REQ_REQUEST_ID, ACTIVES_ID);
    CmMessage rep = CmMessage.of(CmKind.SIDR_REP).set(CmField.SIDR_REP_REQUEST_ID, ACTIVES_ID);
    owed.sent(PASSIVE, rep);
    owed.arrived(PASSIVE, req, 0);

    assertOwed("SIDR_REP");
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

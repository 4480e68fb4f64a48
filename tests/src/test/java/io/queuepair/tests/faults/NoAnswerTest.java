// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A requester whose retries are exhausted says what became of its packets. */
@Timeout(60)
final class NoAnswerTest {
  private static final String A = "10.0.0.1";
  private static final String B = "10.0.0.2";
  private static final String LOCAL_A = "127.0.0.96";
  private static final String LOCAL_B = "127.0.0.97";
  private static final int SQ_PSN = 100;
  private static final String NO_SUCH_QP =
      "No QP of this device has the destination number. It is 17.";

  private Emulator emulator;
  private EmulatedDevice deviceA;
  private EmulatedDevice deviceB;
  private CompletionQueue cq;
  private QueuePair a;
  private QueuePair b;

  private int retries = 7;
  private int gidIndexOfB;

  private void start(LinkForm form, String plan) {
    emulator = Emulator.on(form.fabric()).injectFaults(FaultPlan.parse(plan));
    deviceA = emulator.addDevice(A);
    deviceB = emulator.addDevice(B);
    create();
  }

  private void create() {
    a = create(deviceA);
    b = create(deviceB);
    cq = a.initAttr().sendCq();
  }

  private static QueuePair create(Device device) {
    ProtectionDomain pd = device.open().allocPd();
    return pd.createQp(QpInitAttr.rc(pd.context().createCq(8), QpCap.of(8)));
  }

  private void connect(int rqPsnOfB) {
    toReadyToReceive(a, b, 0);
    toReadyToReceive(b, a, rqPsnOfB);
    for (QueuePair qp : new QueuePair[] {a, b}) {
      qp.modify(
          QpAttr.to(QpState.RTS)
              .sqPsn(qp == a ? SQ_PSN : 0)
              .timeout(14)
              .retryCnt(retries)
              .rnrRetry(retries)
              .maxRdAtomic(1));
    }
  }

  private void toReadyToReceive(QueuePair qp, QueuePair peer, int rqPsn) {
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(Set.of()));
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(peer.pd().context().queryGid(1, peer == b ? gidIndexOfB : 0)))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(peer.qpNum())
            .rqPsn(rqPsn)
            .minRnrTimer(12)
            .maxDestRdAtomic(1));
  }

  private WorkCompletion send() {
    ByteBuffer bytes = ByteBuffer.allocateDirect(8);
    a.postSend(SendWr.send(1, a.pd().regMr(bytes, AccessFlag.LOCAL_WRITE).sge()));
    return emulator.await(cq);
  }

  private void assertExplained(String... sentences) {
    WorkCompletion failed = send();
    assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(failed.explain())
        .isEqualTo(
            "no answer to PSN 100 within the ACK timeout (TIMEOUT 14), also after "
                + (retries == 1 ? "1 retry" : retries + " retries")
                + " (RETRY_CNT). "
                + String.join(" ", sentences));
  }

  @AfterEach
  void close() {
    emulator.close();
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePeerHasNoSuchQueuePair(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    b.close();

    assertExplained("8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePeerIsNotReadyToReceive(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    b.modify(QpAttr.to(QpState.RESET));

    assertExplained(
        "8 packets dropped by 10.0.0.2: The QP takes no such packet in its present state."
            + " It is in RESET.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void eachConnectionHasItsOwnReason(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    b.close();
    assertExplained("8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);

    create();
    connect(SQ_PSN);
    b.modify(QpAttr.to(QpState.RESET));
    assertExplained(
        "8 packets dropped by 10.0.0.2: The QP takes no such packet in its present state."
            + " It is in RESET.");

    deviceB.addAddress(1, "10.0.0.3");
    gidIndexOfB = 1;
    create();
    connect(SQ_PSN);
    b.modify(QpAttr.to(QpState.RESET));
    assertExplained(
        "8 packets dropped by 10.0.0.3: The QP takes no such packet in its present state."
            + " It is in RESET.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePortOfThePeerIsDown(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    deviceB.setPortUp(1, false);

    assertExplained("8 packets dropped by 10.0.0.2: The port it would leave or arrive by is down.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theOwnPortIsDown(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    deviceA.setPortUp(1, false);

    assertExplained(
        "8 packets not sent by 10.0.0.1: The port it would leave or arrive by is down.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePeerHasFailed(LinkForm form) {
    start(form, "");
    connect(SQ_PSN);
    deviceB.fail();

    assertExplained(
        "8 packets dropped by 10.0.0.2: The QP takes no such packet in its present state."
            + " It is in ERR, because the device failed.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theCompletionQueueOfThePeerOverran(LinkForm form) {
    start(form, "exhaust cq_space of 10.0.0.2 at 0ns");
    connect(SQ_PSN);
    b.postRecv(
        RecvWr.of(1, b.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE).sge()));

    assertExplained(
        "7 packets dropped by 10.0.0.2: The QP takes no such packet in its present state."
            + " It is in ERR, because the completion queue of 8 entries has no room, as a fault"
            + " plan says (wr_id 1 of queue pair 17).");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theFaultPlanDropsTheRequests(LinkForm form) {
    start(form, "drop SEND_ONLY");
    connect(SQ_PSN);

    assertExplained("8 packets dropped: drop SEND_ONLY.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theFaultPlanDropsTheAnswers(LinkForm form) {
    start(form, "drop ACK");
    connect(SQ_PSN);
    b.postRecv(
        RecvWr.of(1, b.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE).sge()));

    assertExplained(
        "7 packets dropped by 10.0.0.2: The packet was seen before and needs no other answer.",
        "8 answers dropped: drop ACK.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theFaultPlanCorruptsTheRequests(LinkForm form) {
    start(form, "corrupt icrc of SEND_ONLY");
    connect(SQ_PSN);

    assertExplained(
        "8 packets corrupted: corrupt icrc SEND_ONLY.",
        "8 packets dropped by 10.0.0.2: The invariant CRC does not match: the packet was"
            + " corrupted or rewritten on its way.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void theFaultPlanPartsTheHosts(LinkForm form) {
    start(form, "partition 10.0.0.2 at 0ns");
    connect(SQ_PSN);

    assertExplained("8 packets dropped: partition 10.0.0.2 at 0ns.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void severalReasonsAreNamedEachWithItsCount(LinkForm form) {
    start(form, "drop first 3 SEND_ONLY");
    connect(SQ_PSN);
    b.close();

    assertExplained(
        "3 packets dropped: drop 1st..3rd SEND_ONLY.",
        "5 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void nobodyHasTheAddressAnyMore(LinkForm form) {
    start(form, "");
    deviceB.addAddress(1, "10.0.0.3");
    gidIndexOfB = 1;
    connect(SQ_PSN);
    deviceB.removeAddress(1, "10.0.0.3");

    assertExplained("8 packets not delivered: no device has the address 10.0.0.3.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePeerExpectsALaterPsn(LinkForm form) {
    start(form, "");
    connect(110);

    assertExplained(
        "8 acknowledgements came, for PSN 109, which was never sent: rq_psn of the peer (110) is"
            + " not sq_psn (100).",
        "8 packets dropped by 10.0.0.2: The packet was seen before and needs no other answer.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void thePeerExpectsAnEarlierPsn(LinkForm form) {
    retries = 1;
    start(form, "");
    connect(90);

    assertExplained(
        "1 NAK came, for PSN 90, which was never sent: rq_psn of the peer (90) is not sq_psn"
            + " (100).",
        "2 packets dropped by 10.0.0.2: The packet is ahead of the expected PSN and a NAK was"
            + " sent already.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void whatWasLostBeforeIsNotNamed(LinkForm form) {
    start(form, "drop 1st SEND_ONLY");
    connect(SQ_PSN);
    b.postRecv(
        RecvWr.of(1, b.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE).sge()));
    assertThat(send().status()).isEqualTo(WcStatus.SUCCESS);
    b.close();

    assertThat(send().explain())
        .startsWith("no answer to PSN 101 ")
        .endsWith("(RETRY_CNT). 8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void anEarlierConnectionOfTheSamePsnsIsNotCounted(LinkForm form) {
    start(form, "drop first 8 SEND_ONLY");
    connect(SQ_PSN);
    assertExplained("8 packets dropped: drop 1st..8th SEND_ONLY.");
    a.modify(QpAttr.to(QpState.RESET));
    b.modify(QpAttr.to(QpState.RESET));
    connect(SQ_PSN);
    b.close();

    assertExplained("8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void aForgedRnrNakIsNamed(LinkForm form) {
    retries = 2;
    start(form, "forge rnr_nak 1 SEND_ONLY");
    connect(SQ_PSN);

    WorkCompletion failed = send();

    assertThat(failed.status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
    assertThat(failed.explain())
        .isEqualTo(
            "the peer had no receive posted for PSN 100, also after 2 retries (RNR_RETRY)."
                + " 3 packets forged: forge rnr_nak 1 SEND_ONLY.");
  }

  @Test
  void overUdpTheOwnDevicesAreAskedToo() {
    emulator = Emulator.on(udp(FreePort.of(LOCAL_A)));
    deviceA = emulator.addDevice(LOCAL_A);
    deviceB = emulator.addDevice(LOCAL_B);
    create();
    connect(SQ_PSN);
    String number = Integer.toString(b.qpNum());
    b.close();

    assertExplained("8 packets dropped by 127.0.0.97: " + NO_SUCH_QP.replace("17", number));
  }

  @Test
  void ofAnotherProcessNothingIsKnown() {
    int port = FreePort.of(LOCAL_A);
    emulator = Emulator.on(udp(port));
    try (Emulator elsewhere = Emulator.on(udp(port))) {
      deviceA = emulator.addDevice(LOCAL_A);
      deviceB = elsewhere.addDevice(LOCAL_B);
      create();
      connect(SQ_PSN);
      b.close();

      assertExplained(
          "Nothing came back from queue pair " + b.qpNum() + " of 127.0.0.97; own GID index 0.");
    }
  }

  /** Linux has no route from a loopback address to one of another network (RFC 5737 names it). */
  @Test
  void thereIsNoRouteToThePeer() {
    emulator = Emulator.on(udp(FreePort.of(LOCAL_A)));
    deviceA = emulator.addDevice(LOCAL_A);
    a = create(deviceA);
    cq = a.initAttr().sendCq();
    a.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(Set.of()));
    a.modify(toReadyToReceive(Gid.of(IpAddress.parse("192.0.2.1"))));
    a.modify(
        QpAttr.to(QpState.RTS).sqPsn(SQ_PSN).timeout(14).retryCnt(1).rnrRetry(1).maxRdAtomic(1));

    assertThat(send().explain())
        .contains(" 2 packets not sent by 127.0.0.96 to 192.0.2.1: ")
        .contains("Invalid argument")
        .endsWith(", as this host has no route from the one to the other.")
        .doesNotContain("sendTo");
  }

  @Test
  void softRoceRefusesAnAddressWithoutARoute() {
    emulator = Emulator.on(udp(FreePort.of(LOCAL_A)));
    deviceA = emulator.addDevice(DeviceProfile.softRoce(), LOCAL_A);
    a = create(deviceA);
    a.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(Set.of()));
    QpAttr unreachable = toReadyToReceive(Gid.of(IpAddress.parse("192.0.2.1")));

    assertThatThrownBy(() -> a.modify(unreachable))
        .isInstanceOfSatisfying(
            VerbsException.class, refused -> assertThat(refused.errno()).isEqualTo(Errno.ETIMEDOUT))
        .hasMessageContaining("ffff:c000:0201 has no route from 0000");
    assertThatCode(() -> a.modify(toReadyToReceive(Gid.of(IpAddress.parse(LOCAL_B)))))
        .doesNotThrowAnyException();
  }

  private static QpAttr toReadyToReceive(Gid dgid) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(AhAttr.to(dgid))
        .pathMtu(Mtu.MTU_1024)
        .destQpNum(17)
        .rqPsn(0)
        .minRnrTimer(12)
        .maxDestRdAtomic(1);
  }

  private static UdpFabric udp(int port) {
    return UdpFabric.open(UdpOptions.defaults().withPort(port));
  }
}

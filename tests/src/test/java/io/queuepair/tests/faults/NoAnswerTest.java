// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A requester whose retries are exhausted says what became of its packets. Scenarios show other
 * causes: a failed device, a full completion queue, PSNs that do not match.
 */
@Timeout(60)
final class NoAnswerTest {
  private static final String LOCAL_A = "127.0.0.96";
  private static final String LOCAL_B = "127.0.0.97";
  private static final int SQ_PSN = 100;
  private static final String NO_SUCH_QP =
      "No QP of this device has the destination number. It is 17.";
  private static final String IN_RESET =
      ": The QP takes no such packet in its present state. It is in RESET.";

  private Emulator emulator;
  private EmulatedDevice deviceA;
  private EmulatedDevice deviceB;
  private QueuePair a;
  private QueuePair b;
  private int gidIndexOfB;

  private void start(LinkForm form, String plan) {
    emulator = Emulator.on(form.fabric()).injectFaults(FaultPlan.parse(plan));
    deviceA = emulator.addDevice("10.0.0.1");
    deviceB = emulator.addDevice("10.0.0.2");
    connect();
  }

  @AfterEach
  void close() {
    emulator.close();
  }

  private void connect() {
    a = create(deviceA);
    b = create(deviceB);
    reconnect();
  }

  private static QueuePair create(Device device) {
    ProtectionDomain pd = device.open().allocPd();
    return pd.createQp(QpInitAttr.rc(pd.context().createCq(8), QpCap.of(8)));
  }

  private void reconnect() {
    connect(a, b.pd().context().queryGid(1, gidIndexOfB), b.qpNum());
    connect(b, a.pd().context().queryGid(1, 0), a.qpNum());
  }

  private static void connect(QueuePair qp, Gid peer, int peerQpn) {
    qp.modify(Attributes.init(QpType.RC));
    qp.modify(Attributes.rtr(QpType.RC, peer, peerQpn, SQ_PSN));
    qp.modify(Attributes.rts(QpType.RC, SQ_PSN).retryCnt(7));
  }

  private void postReceive() {
    MemoryRegion region = b.pd().regMr(ByteBuffer.allocateDirect(8), AccessFlag.LOCAL_WRITE);
    b.postRecv(RecvWr.of(1, region.sge()));
  }

  private WorkCompletion send() {
    a.postSend(SendWr.send(1, a.pd().regMr(ByteBuffer.allocateDirect(8)).sge()));
    return emulator.await(a.initAttr().sendCq());
  }

  private void assertExplained(String sentences) {
    WorkCompletion failed = send();
    assertThat(failed.status()).isEqualTo(WcStatus.RETRY_EXC_ERR);
    assertThat(failed.explain())
        .isEqualTo(
            "no answer to PSN 100 within the ACK timeout (TIMEOUT 14), also after 7 retries"
                + " (RETRY_CNT). "
                + sentences);
  }

  private record Row(String plan, Consumer<NoAnswerTest> act, String sentences) {}

  private static Row row(String plan, Consumer<NoAnswerTest> act, String... sentences) {
    return new Row(plan, act, String.join(" ", sentences));
  }

  static Stream<Arguments> rows() {
    List<Row> rows =
        List.of(
            row(
                "",
                test -> test.deviceA.setPortUp(1, false),
                "8 packets not sent by 10.0.0.1: The port it would leave or arrive by is down."),
            row(
                "drop ACK",
                NoAnswerTest::postReceive,
                "7 packets dropped by 10.0.0.2: The packet was seen before and needs no other"
                    + " answer.",
                "8 answers dropped: drop ACK."),
            row(
                "corrupt icrc of SEND_ONLY",
                test -> {},
                "8 packets corrupted: corrupt icrc SEND_ONLY.",
                "8 packets dropped by 10.0.0.2: The invariant CRC does not match: the packet was"
                    + " corrupted or rewritten on its way."),
            row(
                "partition 10.0.0.2 at 0ns",
                test -> {},
                "8 packets dropped: partition 10.0.0.2 at 0ns."),
            row(
                "drop first 3 SEND_ONLY",
                test -> test.b.close(),
                "3 packets dropped: drop 1st..3rd SEND_ONLY.",
                "5 packets dropped by 10.0.0.2: " + NO_SUCH_QP));
    return Stream.of(LinkForm.values())
        .flatMap(form -> rows.stream().map(row -> Arguments.of(form, row)));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachReasonIsNamedWithItsCount(LinkForm form, Row row) {
    start(form, row.plan);
    row.act.accept(this);

    assertExplained(row.sentences);
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void eachConnectionHasItsOwnReason(LinkForm form) {
    start(form, "");
    b.close();
    assertExplained("8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
    connect();
    b.modify(QpAttr.to(QpState.RESET));
    assertExplained("8 packets dropped by 10.0.0.2" + IN_RESET);
    deviceB.addAddress(1, "10.0.0.3");
    gidIndexOfB = 1;
    connect();
    b.modify(QpAttr.to(QpState.RESET));
    assertExplained("8 packets dropped by 10.0.0.3" + IN_RESET);
    connect();
    deviceB.removeAddress(1, "10.0.0.3");
    assertExplained("8 packets not delivered: no device has the address 10.0.0.3.");
  }

  @ParameterizedTest
  @EnumSource(LinkForm.class)
  void whatWasLostBeforeIsNotNamed(LinkForm form) {
    start(form, "drop 1st SEND_ONLY");
    postReceive();
    assertThat(send().status()).isEqualTo(WcStatus.SUCCESS);
    b.close();

    assertThat(send().explain())
        .startsWith("no answer to PSN 101 ")
        .endsWith("(RETRY_CNT). 8 packets dropped by 10.0.0.2: " + NO_SUCH_QP);
  }

  private static UdpFabric udp(int port) {
    return UdpFabric.open(UdpOptions.defaults().withPort(port));
  }

  @Test
  void ofAnotherProcessNothingIsKnown() {
    int port = FreePort.of(LOCAL_A);
    emulator = Emulator.on(udp(port));
    try (Emulator elsewhere = Emulator.on(udp(port))) {
      deviceA = emulator.addDevice(LOCAL_A);
      deviceB = elsewhere.addDevice(LOCAL_B);
      connect();
      b.close();

      assertExplained(
          "Nothing came back from queue pair " + b.qpNum() + " of 127.0.0.97; own GID index 0.");
    }
  }

  /** Linux has no route from a loopback address to one of another network (RFC 5737 names it). */
  @Test
  void thereIsNoRouteToThePeer() {
    emulator = Emulator.on(udp(FreePort.of(LOCAL_A)));
    a = create(emulator.addDevice(LOCAL_A));
    connect(a, Gid.of(IpAddress.parse("192.0.2.1")), 17);

    assertThat(send().explain())
        .contains(" 8 packets not sent by 127.0.0.96 to 192.0.2.1: ")
        .contains("Invalid argument")
        .endsWith(", as this host has no route from the one to the other.")
        .doesNotContain("sendTo");
  }

  @Test
  void softRoceRefusesAnAddressWithoutARoute() {
    emulator = Emulator.on(udp(FreePort.of(LOCAL_A)));
    a = create(emulator.addDevice(DeviceProfile.softRoce(), LOCAL_A));

    Errnos.assertRefused(
        Errno.ETIMEDOUT,
        "ffff:c000:0201 has no route from 0000",
        () -> connect(a, Gid.of(IpAddress.parse("192.0.2.1")), 17));
    a.modify(QpAttr.to(QpState.RESET));
    assertThatCode(() -> connect(a, Gid.of(IpAddress.parse(LOCAL_B)), 17))
        .doesNotThrowAnyException();
  }
}

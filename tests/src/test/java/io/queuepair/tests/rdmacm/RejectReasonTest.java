// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.attr;
import static io.queuepair.verbs.Errno.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.tests.support.CmRewritingFabric;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reasons for which a request or a reply is rejected that no program of this library can cause: the
 * message is changed on its way. 8, 9, 10 and 28 arise in scenarios and other tests, too.
 */
final class RejectReasonTest {
  /** A network that changes the first message of a kind. */
  private static CmRewritingFabric changing(CmKind kind, Consumer<ByteBuffer> change) {
    boolean[] isDone = new boolean[1];
    return CmRewritingFabric.inMemory(
        message -> {
          if (message.kind() != kind || isDone[0]) {
            return List.of(message);
          }
          isDone[0] = true;
          byte[] bytes = message.toBytes();
          change.accept(ByteBuffer.wrap(bytes));
          return List.of((CmMessage) CmMessage.decode(Payload.of(bytes)));
        });
  }

  private static void expectRejected(RdmaHosts hosts, int reason, String words) {
    assertThat(hosts.atA(REJECTED, reason).explain())
        .isEqualTo("10.0.0.2 sent a REJ, reason " + reason + ": " + words);
  }

  private record ChangedRequest(Consumer<ByteBuffer> change, int reason, String words) {}

  private static ChangedRequest row(int reason, String words, Consumer<ByteBuffer> change) {
    return new ChangedRequest(change, reason, words);
  }

  static List<ChangedRequest> changedRequests() {
    return List.of(
        row(
            8,
            "no program listens on that port there.",
            req -> CmField.REQ_SERVICE_ID.put(req, 0x0106_0001L)),
        row(
            9,
            "invalid transport service type.",
            req -> CmField.REQ_TRANSPORT_SERVICE_TYPE.put(req, 2)), // RD
        row(
            12,
            "invalid primary remote GID.", // 10.0.0.3
            req -> req.put(24 + 72 + 15, (byte) 3)),
        row(
            18,
            "invalid alternate remote GID.", // Alternate local LID, without GIDs.
            req -> req.putShort(24 + 96, (short) 0xffff)),
        row(26, "invalid path MTU.", req -> CmField.REQ_PATH_MTU.put(req, 6)),
        row(
            28,
            "its program rejected the connection.", // A header of another version.
            req -> req.put(24 + 140, (byte) 1)));
  }

  @ParameterizedTest
  @MethodSource("changedRequests")
  void aRequestWithoutSenseHasItsReason(ChangedRequest row) {
    try (RdmaHosts hosts = new RdmaHosts(changing(CmKind.REQ, row.change))) {
      hosts.connecting();
      expectRejected(hosts, row.reason, row.words);
      assertThat(hosts.channelB.getCmEvent(SOON)).isEmpty();
    }
  }

  /** IBA, 12.6.7.2: with reason 26 goes the path MTU that is acceptable. */
  @Test
  void aLargerPathMtuThanThatOfThePortIs26() {
    List<CmMessage> rejections = new ArrayList<>();
    CmRewritingFabric network =
        CmRewritingFabric.inMemory(
            message -> {
              if (message.kind() == CmKind.REJ) {
                rejections.add(message);
              }
              return List.of(message);
            });
    try (RdmaHosts hosts = new RdmaHosts(network)) {
      hosts.deviceA.setMtu(1, 4200);
      hosts.deviceB.setMtu(1, 1500);
      hosts.connecting();
      hosts.request();

      assertThat(rejections).hasSize(1);
      assertThat(rejections.get(0).get(CmField.REJ_REASON)).isEqualTo(26);
      assertThat(rejections.get(0).rejectInfo()).isEqualTo(ImmutableBytes.of(new byte[] {3}));
    }
  }

  /** Both sides get the smaller one, on either side. */
  @ParameterizedTest
  @CsvSource({"4200, 1500, MTU_1024", "1500, 4200, MTU_1024", "600, 400, MTU_256"})
  void pathsOfDifferentMtuAreConnected(int ofA, int ofB, Mtu smaller) {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.deviceA.setMtu(1, ofA);
      hosts.deviceB.setMtu(1, ofB);
      RdmaCmId[] ends = hosts.connected();
      ByteBuffer sent = ByteBuffer.allocateDirect(3_000).putInt(2_996, 42);
      ByteBuffer received = ByteBuffer.allocateDirect(3_000);
      ends[1].postRecv(7, ends[1].regMsgs(received).sge());
      ends[0].postSend(8, ends[0].regMsgs(sent).sge());

      assertThat(ends[0].getSendComp().status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(received.getInt(2_996)).isEqualTo(42);
      assertThat(ends).allMatch(end -> end.qp().query().pathMtu() == smaller);
    }
  }

  /** A peer that says the same again is not asked for ever. */
  @Test
  void aSmallerPathMtuThatIsNoneEndsIn26() {
    int[] requests = new int[1];
    CmRewritingFabric network =
        CmRewritingFabric.inMemory(
            message -> {
              requests[0] += message.kind() == CmKind.REQ ? 1 : 0;
              return List.of(message.kind() == CmKind.REJ ? withMtu(message, 3) : message);
            });
    try (RdmaHosts hosts = new RdmaHosts(network)) {
      hosts.deviceA.setMtu(1, 4200);
      hosts.active().connect(NOTHING); // No one listens.

      expectRejected(hosts, 26, "invalid path MTU.");
      assertThat(requests[0]).isEqualTo(2);
    }
  }

  private static CmMessage withMtu(CmMessage rej, int code) {
    return rej.copy()
        .set(CmField.REJ_REASON, 26)
        .setRejectInfo(ImmutableBytes.of(new byte[] {(byte) code}));
  }

  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  @Test
  void theHostThatRejectsSaysWhy() {
    List<String> explanations = new ArrayList<>();
    ((CProgramHost) hosts.b).explainRefusals(explanations::add);
    hosts.active().connect(NOTHING);

    expectRejected(hosts, 8, "no program listens on that port there.");
    assertThat(explanations)
        .containsExactly(
            "10.0.0.1 asked for a connection to port 7471 and was rejected, reason 8: invalid"
                + " service ID.");
  }

  @Test
  void aProgramThatRefusesEnhancedConnectionEstablishmentIs35() {
    hosts.connecting();
    hosts.request().rejectEce(new byte[] {7});

    RdmaCmEvent event = hosts.atA(REJECTED, 35);
    assertThat(RdmaHosts.bytes(event.conn().privateData())).startsWith(7);
  }

  /** A client that gives up a request says so with reason 4. */
  @Test
  void aRequestThatIsTakenBackIs4() {
    hosts.inject("drop REP");
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.request();
    passive.accept();

    active.close();

    RdmaCmEvent event = hosts.atB(REJECTED, 4);
    assertThat(event.id()).isSameAs(passive);
    assertThat(event.explain()).contains("it had no answer in time");
  }

  /** {@code ucma_event_handler}: a program knows of no new connection before it has accepted it. */
  @Test
  void aRequestThatIsTakenBackBeforeItIsAcceptedIsNoEvent() {
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.request();

    active.close();

    assertThat(hosts.channelB.getCmEvent(SOON)).isEmpty();
    assertRefused(EINVAL, "there is no request to answer", passive::accept);
  }

  /** The request is there, takes part of the backlog, and can be answered no more. */
  @Test
  void aRequestThatIsTakenBackBeforeItIsReadIsReadAllTheSame() {
    RdmaCmId active = hosts.connecting();
    hosts.emulator.run(Duration.ofMillis(1));
    active.close();
    RdmaCmId other = hosts.active();
    other.connect(NOTHING);
    hosts.emulator.run(Duration.ofMillis(1));

    RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();

    assertRefused(EINVAL, "has ended", () -> passive.createQp(null, attr(QpType.RC)));
    assertRefused(EINVAL, "there is no request to answer", passive::accept);
    passive.close();
    assertThat(hosts.request().dstPort()).isEqualTo(other.srcPort());
  }
}

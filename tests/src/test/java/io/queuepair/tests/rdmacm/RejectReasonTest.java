// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.internal.CProgramHost;
import io.queuepair.tests.support.CmRewritingFabric;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Reasons for which a request or a reply is rejected that no program of this library can cause: the
 * message is changed on its way. 4, 8, 9, 10 and 28 have their tests where they arise.
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
    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);
    assertThat(event.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(event.status()).isEqualTo(reason);
    assertThat(event.explain()).isEqualTo("10.0.0.2 sent a REJ, reason " + reason + ": " + words);
  }

  private static void expectReason(Consumer<ByteBuffer> change, int reason, String words) {
    try (RdmaHosts hosts = new RdmaHosts(changing(CmKind.REQ, change), "10.0.0.1", "10.0.0.2")) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      hosts.active().connect(RdmaConnParam.of(0, 0));

      expectRejected(hosts, reason, words);
      assertThat(hosts.channelB.getCmEvent(RdmaHosts.SOON)).isEmpty();
    }
  }

  @Test
  void aServiceThatIsNotOfferedIs8() {
    expectReason(
        req -> CmField.REQ_SERVICE_ID.put(req, 0x0106_0001L),
        8,
        "no program listens on that port there.");
  }

  @Test
  void aTransportThatIsNotOfferedIs9() {
    expectReason(
        req -> CmField.REQ_TRANSPORT_SERVICE_TYPE.put(req, 2), // RD
        9,
        "invalid transport service type.");
  }

  @Test
  void anotherGidThanThatOfTheReceiverIs12() {
    expectReason(
        req -> req.put(24 + 72 + 15, (byte) 3), // Primary remote GID: 10.0.0.3.
        12,
        "invalid primary remote GID.");
  }

  @Test
  void anAlternatePathToAnotherHostIs18() {
    expectReason(
        req -> req.putShort(24 + 96, (short) 0xffff), // Alternate local LID, without GIDs.
        18,
        "invalid alternate remote GID.");
  }

  @Test
  void aPathMtuThatThereIsNotIs26() {
    expectReason(req -> CmField.REQ_PATH_MTU.put(req, 6), 26, "invalid path MTU.");
  }

  @Test
  void aHeaderOfAnotherVersionIs28() {
    expectReason(req -> req.put(24 + 140, (byte) 1), 28, "its program rejected the connection.");
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
    try (RdmaHosts hosts = new RdmaHosts(network, "10.0.0.1", "10.0.0.2")) {
      hosts.deviceA.setMtu(1, 4200);
      hosts.deviceB.setMtu(1, 1500);
      hosts.listener(RdmaPortSpace.TCP, 1);
      hosts.active().connect(RdmaConnParam.of(0, 0));
      hosts.request();

      assertThat(rejections).hasSize(1);
      assertThat(rejections.get(0).get(CmField.REJ_REASON)).isEqualTo(26);
      assertThat(rejections.get(0).rejectInfo()).isEqualTo(ImmutableBytes.of(new byte[] {3}));
    }
  }

  /** Both sides get the smaller one, on either side. */
  @ParameterizedTest
  @CsvSource({
    "4200, 1500, MTU_1024",
    "1500, 4200, MTU_1024",
    "4200, 2200, MTU_2048",
    "600, 400, MTU_256"
  })
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
      for (RdmaCmId end : ends) {
        assertThat(end.qp().query().pathMtu()).isEqualTo(smaller);
      }
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
    try (RdmaHosts hosts = new RdmaHosts(network, "10.0.0.1", "10.0.0.2")) {
      hosts.deviceA.setMtu(1, 4200);
      hosts.active().connect(RdmaConnParam.of(0, 0)); // No one listens.

      expectRejected(hosts, 26, "invalid path MTU.");
      assertThat(requests[0]).isEqualTo(2);
    }
  }

  private static CmMessage withMtu(CmMessage rej, int code) {
    return rej.copy()
        .set(CmField.REJ_REASON, 26)
        .setRejectInfo(ImmutableBytes.of(new byte[] {(byte) code}));
  }

  @Test
  void theHostThatRejectsSaysWhy() {
    try (RdmaHosts hosts = new RdmaHosts()) {
      List<String> explanations = new ArrayList<>();
      ((CProgramHost) hosts.b).explainRefusals(explanations::add);

      hosts.active().connect(RdmaConnParam.of(0, 0));

      expectRejected(hosts, 8, "no program listens on that port there.");
      assertThat(explanations)
          .containsExactly(
              "10.0.0.1 asked for a connection to port 7471 and was rejected, reason 8: invalid"
                  + " service ID.");
    }
  }

  /** The passive side learns by the REJ that its REP went to no end of a connection. */
  @Test
  void aReplyToAnUnknownIdIs6() {
    CmRewritingFabric network =
        changing(CmKind.REQ, req -> CmField.REQ_LOCAL_COMM_ID.put(req, 0x1234_5678));
    try (RdmaHosts hosts = new RdmaHosts(network, "10.0.0.1", "10.0.0.2")) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      hosts.active().connect(RdmaConnParam.of(0, 0));
      RdmaCmId passive = hosts.request();
      passive.accept(RdmaConnParam.of(0, 0));

      RdmaCmEvent event = RdmaHosts.next(hosts.channelB);

      assertThat(event.id()).isSameAs(passive);
      assertThat(event.event()).isEqualTo(RdmaCmEventType.REJECTED);
      assertThat(event.status()).isEqualTo(6);
    }
  }

  @Test
  void aProgramThatRefusesEnhancedConnectionEstablishmentIs35() {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      hosts.active().connect(RdmaConnParam.of(0, 0));
      hosts.request().rejectEce(new byte[] {7});

      RdmaCmEvent event = RdmaHosts.next(hosts.channelA);

      assertThat(event.status()).isEqualTo(35);
      assertThat(RdmaHosts.bytes(event.conn().privateData())).startsWith(7);
    }
  }

  /** Who gives up a request says so with 4. */
  @Test
  void aRequestThatIsTakenBackIs4() {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.emulator.injectFaults(FaultPlan.parse("drop REP"));
      hosts.listener(RdmaPortSpace.TCP, 1);
      RdmaCmId active = hosts.active();
      active.connect(RdmaConnParam.of(0, 0));
      RdmaCmId passive = hosts.request();
      passive.accept();

      active.close();

      RdmaCmEvent event = RdmaHosts.next(hosts.channelB);
      assertThat(event.id()).isSameAs(passive);
      assertThat(event.event()).isEqualTo(RdmaCmEventType.REJECTED);
      assertThat(event.status()).isEqualTo(4);
      assertThat(event.explain()).contains("it had no answer in time");
    }
  }

  /** {@code ucma_event_handler}: a program knows of no new connection before it has accepted it. */
  @Test
  void aRequestThatIsTakenBackBeforeItIsAcceptedIsNoEvent() {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      RdmaCmId active = hosts.active();
      active.connect(RdmaConnParam.of(0, 0));
      RdmaCmId passive = hosts.request();

      active.close();

      assertThat(hosts.channelB.getCmEvent(RdmaHosts.SOON)).isEmpty();
      refused("there is no request to answer", passive::accept);
    }
  }

  /** The request is there, takes part of the backlog, and can be answered no more. */
  @Test
  void aRequestThatIsTakenBackBeforeItIsReadIsReadAllTheSame() {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.listener(RdmaPortSpace.TCP, 1);
      RdmaCmId active = hosts.active();
      active.connect(RdmaConnParam.of(0, 0));
      hosts.emulator.run(Duration.ofMillis(1));
      active.close();
      hosts.emulator.run(Duration.ofMillis(1));
      RdmaCmId other = hosts.active();
      other.connect(RdmaConnParam.of(0, 0));
      hosts.emulator.run(Duration.ofMillis(1));

      RdmaCmEvent event = RdmaHosts.next(hosts.channelB);

      assertThat(event.event()).isEqualTo(RdmaCmEventType.CONNECT_REQUEST);
      RdmaCmId passive = event.id();
      refused("has ended", () -> passive.createQp(null, RdmaHosts.attr(QpType.RC)));
      refused("there is no request to answer", passive::accept);
      passive.close();
      assertThat(hosts.request().dstPort()).isEqualTo(other.srcPort());
    }
  }

  private static void refused(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(words);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Service;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * End-to-end credits: the receives that ACKs promise, and how many messages a requester starts that
 * was promised some. Credit codes are those of the specification: 0 to 4 stand for themselves, 5
 * for 6 receives, 31 for any number. A script names an ACK with N credits NAKn.
 */
final class CreditTest {
  private static final int UNLIMITED = 31;

  private final EngineFixture us = EngineFixture.readyWithCredits();

  /** The first message, with PSN 100, is answered with those credits. */
  private void promise(int creditCode) {
    us.run("send 0; NAK" + Integer.toHexString(creditCode) + " 100");
  }

  private int started(int count) {
    return us.run("send 1" + " & send 1".repeat(count - 1)).split(";").length;
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 1", "5, 4", "6, 4", "7, 5", "8, 5", "9, 6", "32, 9"})
  void promisesTheReceivesThatAreLeft(int posted, int creditCode) {
    us.run("recv 1; ".repeat(posted));

    assertThat(us.receive(us.packet("SEND_ONLY 500")))
        .containsExactly(us.own().acknowledge(PEER_PSN, creditCode, 1));
  }

  @Test
  void promisesTheReceiveInUseToTheMessageThatUsesIt() {
    us.run("recv 1; recv 2; recv 3");
    Packet first = us.packet("SEND_FIRST 500");
    Packet asking =
        new Packet(first.route(), first.bth().withAckRequest(true), List.of(), first.payload());

    assertThat(us.receive(asking, us.packet("SEND_LAST 501")))
        .containsExactly(
            us.own().acknowledge(PEER_PSN, 3, 0), us.own().acknowledge(PEER_PSN + 1, 2, 1));
  }

  @Test
  void promisesReceivesWithEveryKindOfAnswer() {
    us.run("recv 1; recv 2; recv 3; recv 4");

    assertThat(us.receive(us.packet("WRITE_ONLY 500"), us.packet("READ_REQUEST 501 @0+0")))
        .containsExactly(
            us.own().acknowledge(PEER_PSN, 4, 1),
            us.own()
                .of(Opcode.RC_RDMA_READ_RESPONSE_ONLY, PEER_PSN + 1, new byte[0], Aeth.ack(4, 2)));
  }

  @Test
  void promisesWhatIsThereNowWhenItAcknowledgesAgain() {
    us.run("recv 1; SEND_ONLY 500; recv 2; recv 3; recv 4");

    assertThat(us.receive(us.packet("SEND_ONLY 500")))
        .containsExactly(us.own().acknowledge(PEER_PSN, 3, 1));
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "XRC"})
  void promisesAnyNumberOfASharedQueue(Service service) {
    SharedReceiveRing shared =
        new SharedReceiveRing(1, 1, null, new SharedReceiveRing.Capacity(4, 1), event -> {});
    QpContext qp = EngineFixture.context(QpType.RC, null, shared, Offloads.NONE);

    EngineContext engineContext =
        new EngineContext(
            new MemoryTable(), SendWindowConfig.standard(), new MutablePacket(), new LostPackets());

    RcResponder responder = new RcResponder(qp, service, engineContext, srqn -> shared, null);

    assertThat(responder.creditCode()).isEqualTo(UNLIMITED);
  }

  @Test
  void startsEverythingUntilItIsToldHowMuchThereIs() {
    assertThat(started(5)).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 2", "2, 3", "4, 5", "5, 7", "6, 9", "31, 20"})
  void startsOneMessageMoreThanThereAreReceives(int creditCode, int started) {
    promise(creditCode);

    assertThat(started(20)).isEqualTo(started);
    assertThat(us.hasDeadline()).isTrue();
  }

  /** After the first message was answered with some credits: what leaves. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # One receive for the two under way: no news. Then four for one under way.
          2 | send 1 & send 2 & send 3 & send 4 & send 5 & send 6 & send 7 & send 8; \
              NAK1 101; NAK4 102 \
          | SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103; \
          SEND_ONLY 104; SEND_ONLY 105; SEND_ONLY 106; SEND_ONLY 107
          # One by one to a peer that never has more.
          0 | send 1 & send 2 & send 3; NAK0 101; NAK0 102; NAK0 103 \
          | SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103
          # A peer without a limit, after one with.
          0 | send 1 & send 2 & send 3; ACK 101 | SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103
          # A message of many packets counts once.
          1 | send 1 513 & send 2 & send 3 \
          | SEND_FIRST 101 256; SEND_MIDDLE 102 256; SEND_LAST 103 1; SEND_ONLY 104
          # What takes no receive starts at any time, but not before what waits.
          0 | send 1; write 2 & read 3 | SEND_ONLY 101; WRITE_ONLY 102 @0+0; READ_REQUEST 103 @0+0
          0 | send 1; send 2 & write 3 | SEND_ONLY 101
          0 | send 1; send 2 & write 3; NAK0 101 | SEND_ONLY 101; SEND_ONLY 102; WRITE_ONLY 103 @0+0
          # The promise of a READ response, of the last ACK again, and of an old one.
          0 | read 1 & send 2 & send 3 & send 4 & send 5; READ_RESPONSE_ONLY 101 #2 /2 \
          | READ_REQUEST 101 @0+0; SEND_ONLY 102; SEND_ONLY 103; SEND_ONLY 104
          0 | send 1 & send 2 & send 3 & send 4; NAK2 100 \
          | SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103
          0 | send 1 & send 2 & send 3; NAK0 101; NAK4 100 | SEND_ONLY 101; SEND_ONLY 102
          # It waits for the receiver with the one that was too many.
          0 | send 1 & send 2 & send 3 & send 4; NAK2c 101; wait 640000; NAK2 101 \
          | SEND_ONLY 101; SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103; SEND_ONLY 104
          # A refusal acknowledges what took the receives that were promised.
          2 | send 1 & send 2 & send 3 & send 4 & send 5; NAK2c 103; wait 640000; NAK0 103 \
          | SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103; SEND_ONLY 103; SEND_ONLY 104
          # Forgotten with the connection.
          0 | reset; connect; send 1 & send 2 & send 3 | SEND_ONLY 100; SEND_ONLY 101; SEND_ONLY 102
          """)
  void countsWhatIsUnderWayAgainstEachNewPromise(int creditCode, String script, String left) {
    promise(creditCode);

    assertThat(us.run(script)).isEqualTo(left);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void limitsWritesWithImmediateToo() {
    promise(0);
    SendWr write = SendWr.rdmaWriteWithImm(1, REMOTE, RKEY, 7);
    us.post(write, write);

    assertThat(us.transmit()).hasSize(1);
  }

  @Test
  void takesThePromiseOfAnAtomicAnswer() {
    promise(0);
    SendWr.RemoteTarget target = new SendWr.RemoteTarget(REMOTE, RKEY);
    us.post(SendWr.fetchAndAdd(1, target, 1, sge(us.region(), 0, 8)));
    assertThat(us.run("send 2 & send 3 & send 4")).contains("SEND_ONLY 102");

    Packet answer =
        us.peer()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN + 1,
                new byte[0],
                Aeth.ack(1, 2),
                new AtomicAckEth(0));
    assertThat(EngineScript.text(us.receive(answer))).isEqualTo("SEND_ONLY 103");
  }

  @Test
  void sendsAgainWhateverHasStarted() {
    us.run("send 0 & send 1 & send 2 & send 3; NAK0 100");

    assertThat(us.run("timeout")).isEqualTo("SEND_ONLY 101; SEND_ONLY 102; SEND_ONLY 103");
  }

  @Test
  void looksAtNoPromiseIfTheDeviceKnowsNoCredits() {
    EngineFixture plain = EngineFixture.ready();

    assertThat(plain.run("send 0; NAK0 100; send 1 & send 2 & send 3").split(";")).hasSize(4);
  }
}

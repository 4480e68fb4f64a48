// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that each state takes from the network, and that RESET begins again. */
final class ConnectionStateTest {
  private static final byte[] HELLO = TestPayloads.pattern(5, 1);

  private EngineFixture us = EngineFixture.ready();

  /** Nothing is answered or received, and packets are counted. */
  private void assertDropped(int packets, DropReason reason, Packet... arriving) {
    assertThat(us.receive(arriving)).isEmpty();
    assertThat(us.receives()).isEmpty();
    assertThat(us.drops(reason)).isEqualTo(packets);
  }

  @Test
  void answersRequestsBeforeItMaySendAndTellsOnce() {
    us = EngineFixture.readyToReceive();

    assertThat(us.run("recv 1; recv 2; SEND_ONLY 500; SEND_ONLY 501"))
        .isEqualTo("ACK 500 #1; ACK 501 #2");

    assertThat(us.receives()).containsExactly("1 RECV 5", "2 RECV 5");
    assertThat(us.events()).containsExactly(EventType.COMM_EST);
  }

  @Test
  void takesNoResponseBeforeItMaySend() {
    us = EngineFixture.readyToReceive();

    assertDropped(1, DropReason.WRONG_QP_STATE, us.peer().ack(OWN_PSN, 0));
    assertThat(us.events()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"RESET", "RESET INIT", "ERR"})
  void takesNothing(String states) {
    us.run("recv 1");
    Stream.of(states.split(" ", -1)).map(QpState::valueOf).forEach(us::enter);
    us.receives();

    assertDropped(
        2,
        DropReason.WRONG_QP_STATE,
        us.peer().sendOnly(PEER_PSN, HELLO),
        us.peer().ack(OWN_PSN, 0));
  }

  /**
   * The application may have polled the receive already; without an answer the peer would retry.
   */
  @ParameterizedTest
  @ValueSource(strings = {"reset", "error"})
  void acknowledgesWhatWasReceivedBefore(String end) {
    assertThat(us.run("recv 1; SEND_ONLY 500 & " + end)).isEqualTo("ACK 500 #1");
  }

  @Test
  void takesNothingForAnUnknownQueuePair() {
    PacketMaker lost = new PacketMaker(us.peer().route(), us.peer().destQpn() + 1);

    assertDropped(1, DropReason.NO_SUCH_QP, lost.sendOnly(PEER_PSN, HELLO));
  }

  @Test
  void takesNothingFromAStranger() {
    us.run("recv 1");

    assertDropped(1, DropReason.WRONG_PEER, us.stranger().sendOnly(PEER_PSN, HELLO));
  }

  private Packet ofPartition(int pkey) {
    Bth bth = Bth.of(Opcode.RC_SEND_ONLY, us.peer().destQpn(), PEER_PSN).withPkey(pkey);
    return new Packet(us.peer().route(), bth, List.of(), Payload.of(HELLO));
  }

  /** But it does take a limited member of its own. */
  @Test
  void takesNothingOfAnotherPartition() {
    us.run("recv 1");

    assertDropped(1, DropReason.BAD_PKEY, ofPartition(0x8001));
    us.receive(ofPartition(0x7fff));
    assertThat(us.receives()).containsExactly("1 RECV 5");
  }

  @Test
  void takesNothingOfAnotherService() {
    us.run("recv 1");

    assertDropped(
        2,
        DropReason.WRONG_SERVICE,
        us.peer().of(Opcode.UC_SEND_ONLY, PEER_PSN, HELLO),
        us.peer().of(Opcode.UD_SEND_ONLY, PEER_PSN, HELLO, new Deth(1, 2)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          error; silent 1              | ''            | 1 WR_FLUSH_ERR | ''
          error; recv 1                | ''            | ''             | 1 WR_FLUSH_ERR
          # In order, also without a completion asked for.
          recv 8; recv 9; send 1; silent 2; error \
          | SEND_ONLY 100; SEND_ONLY 101 | 1 WR_FLUSH_ERR; 2 WR_FLUSH_ERR \
          | 8 WR_FLUSH_ERR; 9 WR_FLUSH_ERR
          # What has not left.
          send 1 & send 2 & error      | ''            | 1 WR_FLUSH_ERR; 2 WR_FLUSH_ERR | ''
          # Half of a message has arrived.
          recv 1; recv 2; SEND_FIRST 500; error | ''   | '' | 1 WR_FLUSH_ERR; 2 WR_FLUSH_ERR
          # No answer leaves any more, and nothing is sent again.
          READ_REQUEST 500 @0+768 & error | ''         | ''             | ''
          send 1; error; timeout 10    | SEND_ONLY 100 | 1 WR_FLUSH_ERR | ''
          # RESET forgets all.
          recv 9; send 1; reset; timeout 10 | SEND_ONLY 100 | ''        | ''
          """)
  void flushesWhatIsQueued(String script, String left, String sends, String receives) {
    assertThat(us.run(script)).isEqualTo(left);

    assertThat(String.join("; ", us.sends())).isEqualTo(sends);
    assertThat(String.join("; ", us.receives())).isEqualTo(receives);
    assertThat(us.state()).isEqualTo(script.contains("reset") ? QpState.RESET : QpState.ERR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "recv 1; SEND_ONLY 500; send 1; send 2",
        "send 1; NAK62 100",
        "SEND_MIDDLE 500",
        "recv 1; SEND_FIRST 500",
        "send 1; NAK20 100",
        "SEND_ONLY 500",
      })
  void beginsAgainAfterReset(String before) {
    us.run(before + "; reset");
    assertThat(us.state()).isEqualTo(QpState.RESET);
    us.sends();
    us.receives();

    us.connect();

    assertThat(us.run("recv 20; send 30; ACK 100; SEND_ONLY 500"))
        .isEqualTo("SEND_ONLY 100; ACK 500 #1");
    assertThat(us.sends()).containsExactly("30 SEND 0");
    assertThat(us.receives()).containsExactly("20 RECV 5");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void staysReadyToReceiveAfterASendThatFailedInItsFormerLife() {
    us.run("send 1; NAK62 100; reset");
    us.connectToReceive();

    assertThat(us.run("recv 2; SEND_ONLY 500")).isEqualTo("ACK 500 #1");
    assertThat(us.state()).isEqualTo(QpState.RTR);
  }

  @Test
  void acknowledgesForEachQueuePairThatIsDestroyed() {
    us.postReceive(1);
    us.deliver(us.peer().sendOnly(PEER_PSN, new byte[0]));
    us.destroy();
    us.createAnother();
    us.postReceive(1);
    us.postReceive(2);
    us.deliver(
        us.peer().sendOnly(PEER_PSN, new byte[0]), us.peer().sendOnly(PEER_PSN + 1, new byte[0]));
    us.destroy();

    assertThat(us.receives()).isEmpty();
    assertThat(us.transmit())
        .containsExactly(us.own().ack(PEER_PSN, 1), us.own().ack(PEER_PSN + 1, 2));
  }

  /** A number that is kept from being used again is no queue pair: max_qp does not count it. */
  @Test
  void aHeldNumberIsNoQueuePair() {
    for (int connections = 0; connections < 10; connections++) {
      assertThat(us.queuePairs()).isOne();
      us.holdQpn();
      us.destroy();
      assertThat(us.queuePairs()).isZero();
      us.releaseQpn();
      assertThat(us.queuePairs()).isZero();
      us.createAnother();
    }

    us.holdQpn();
    us.releaseQpn();
    assertThat(us.queuePairs()).isOne();
    us.destroy();
    assertThat(us.queuePairs()).isZero();
  }

  @Test
  void theNumberOfADestroyedQueuePairRests() {
    int destroyed = us.peer().destQpn();
    us.destroy();
    us.createAnother();

    assertThat(us.peer().destQpn()).isNotEqualTo(destroyed);
    us.post(SendWr.send(1));
    assertThat(us.transmit()).hasSize(1);
  }
}

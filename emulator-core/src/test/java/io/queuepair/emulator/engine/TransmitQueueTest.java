// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Queue pairs of a device take turns. */
final class TransmitQueueTest {
  private static final int TURN_PACKETS = SendWindowConfig.softRoce().turnPackets();
  private static final int TURN_BYTES = SendWindowConfig.softRoce().turnBytes();
  private static final String ONLY = "SEND_ONLY " + OWN_PSN;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory memory = us.register(new byte[2 * TURN_PACKETS * MTU]);

  private void postPackets(int count) {
    us.post(SendWr.send(0, sge(memory, 0, count * MTU)));
  }

  @Test
  void oneThatSendsMuchLetsAnotherSendInBetween() {
    postPackets(TURN_PACKETS + 2);
    us.createAnother();
    postPackets(1);

    List<String> left = EngineFixture.brief(us.transmit());

    assertThat(left).hasSize(TURN_PACKETS + 3);
    assertThat(left.indexOf(ONLY)).isEqualTo(TURN_PACKETS);
  }

  @Test
  void aTurnBeginsAnewForTheNextOne() {
    postPackets(2);
    us.createAnother();
    postPackets(TURN_PACKETS);
    us.createAnother();
    postPackets(1);

    assertThat(EngineFixture.brief(us.transmit()).indexOf(ONLY)).isEqualTo(2 + TURN_PACKETS);
  }

  @Test
  void aTurnEndsAfterItsBytes() {
    int mtu = Mtu.MTU_4096.bytes();
    EngineFixture large = EngineFixture.ready(attr -> attr.pathMtu(Mtu.MTU_4096));
    RegisteredMemory much = large.register(new byte[2 * TURN_BYTES]);
    large.post(SendWr.send(0, sge(much)));
    large.createAnother();
    large.post(SendWr.send(0, sge(much, 0, 1)));

    List<String> left = EngineFixture.brief(large.transmit());

    assertThat(left.indexOf(ONLY)).isEqualTo(TURN_BYTES / mtu);
  }

  @Test
  void aTurnOfSmallPacketsBeginsAnewInBytes() {
    int mtu = Mtu.MTU_4096.bytes();
    EngineFixture large = EngineFixture.ready(attr -> attr.pathMtu(Mtu.MTU_4096));
    RegisteredMemory much = large.register(new byte[2 * TURN_BYTES]);
    large.post(SendWr.send(0, sge(much, 0, TURN_BYTES - mtu)));
    large.createAnother();
    large.post(SendWr.send(0, sge(much, 0, TURN_PACKETS * MTU)));
    large.createAnother();
    large.post(SendWr.send(0, sge(much, 0, 1)));

    List<String> left = EngineFixture.brief(large.transmit());

    assertThat(left.indexOf(ONLY)).isEqualTo(TURN_BYTES / mtu - 1 + TURN_PACKETS);
  }

  @Test
  void oneThatAnswersALongReadLetsAnotherSendInBetween() {
    us.deliver(us.peer().readRequest(PEER_PSN, reth(memory, 0, 2L * TURN_PACKETS * MTU)));
    us.createAnother();
    postPackets(1);

    List<String> left = EngineFixture.brief(us.transmit());

    assertThat(left).hasSize(2 * TURN_PACKETS + 1);
    assertThat(left.indexOf(ONLY)).isEqualTo(TURN_PACKETS);
  }

  @Test
  void oneThatIsAskedForManyReadsLetsAnotherAnswerInBetween() {
    Reth much = reth(memory, 0, TURN_PACKETS * (long) MTU);
    us.deliver(
        us.peer().readRequest(PEER_PSN, much),
        us.peer().readRequest(PEER_PSN + TURN_PACKETS, much));
    us.createAnother();
    us.deliver(us.peer().writeOnly(PEER_PSN, reth(memory, 0, 1), new byte[1]));

    assertThat(EngineFixture.brief(us.transmit()).indexOf("ACKNOWLEDGE " + PEER_PSN))
        .isEqualTo(TURN_PACKETS);
  }

  /** Two answer READs and have had turns; a third queue pair is there, and nothing to send. */
  private EngineFixture beside() {
    EngineFixture busy = EngineFixture.ready();
    int packets = 8 * TURN_PACKETS;
    Reth much = reth(busy.register(new byte[packets * MTU]), 0, packets * (long) MTU);
    busy.deliver(busy.peer().readRequest(PEER_PSN, much));
    busy.createAnother();
    busy.deliver(busy.peer().readRequest(PEER_PSN, much));
    for (int i = 0; i < 2 * TURN_PACKETS + 1; i++) {
      busy.transmitOne();
    }
    busy.createAnother();
    return busy;
  }

  @Test
  void oneThatHadNothingToSendGoesBeforeThoseThatAlwaysHave() {
    EngineFixture busy = beside();
    busy.post(SendWr.send(0, sge(busy.register(new byte[1]))));

    assertThat(EngineFixture.brief(busy.transmit()).indexOf(ONLY)).isEqualTo(TURN_PACKETS - 1);
  }

  @Test
  void itDoesSoAgainAndAgainAsLongAsItHasAShareLeft() {
    EngineFixture busy = beside();
    RegisteredMemory small = busy.register(new byte[1]);
    busy.post(SendWr.send(0, sge(small)));
    for (int i = 0; i < TURN_PACKETS + 1; i++) {
      busy.transmitOne();
    }
    busy.post(SendWr.send(0, sge(small)));

    assertThat(EngineFixture.brief(busy.transmit()).indexOf("SEND_ONLY " + (OWN_PSN + 1)))
        .isEqualTo(TURN_PACKETS - 1);
  }

  @Test
  void oneThatHasUsedUpItsShareWaitsForTheNextRound() {
    EngineFixture busy = beside();
    RegisteredMemory much = busy.register(new byte[TURN_PACKETS * MTU]);
    busy.post(SendWr.send(0, sge(much)));
    for (int i = 0; i < 2 * TURN_PACKETS; i++) {
      busy.transmitOne();
    }
    busy.post(SendWr.send(0, sge(much, 0, 1)));

    assertThat(
            EngineFixture.brief(busy.transmit()).indexOf("SEND_ONLY " + (OWN_PSN + TURN_PACKETS)))
        .isEqualTo(2 * TURN_PACKETS - 1);
  }

  // A queue pair that answers a long READ and has requests of its own sends both.

  private static final int ANSWERS = 200;

  /** Half of what a queue pair sends before it is the next one's turn. */
  private static final int HALF = 32;

  private final RegisteredMemory source = us.register(new byte[ANSWERS * MTU]);

  private void answerLongRead() {
    us.deliver(us.peer().readRequest(PEER_PSN, reth(source, 0, ANSWERS * MTU)));
  }

  private static boolean isAnswer(Packet packet) {
    return packet.opcode().isResponse();
  }

  @Test
  void aRequestThatIsPostedInTheMiddleOfTheResponseDoesNotWaitForItsEnd() {
    answerLongRead();
    us.transmitOne();
    us.post(SendWr.send(1, sge(source, 0, 1)));

    assertThat(EngineFixture.brief(us.transmit()).indexOf("SEND_ONLY " + OWN_PSN))
        .isEqualTo(HALF - 1);
  }

  @Test
  void answersAndRequestsShareEvenly() {
    answerLongRead();
    us.post(SendWr.send(1, sge(source, 0, 100 * MTU)));

    List<Packet> left = us.transmit();

    assertThat(left.subList(0, HALF)).allMatch(TransmitQueueTest::isAnswer);
    assertThat(left.subList(HALF, 2 * HALF)).noneMatch(TransmitQueueTest::isAnswer);
    assertThat(left.subList(2 * HALF, 3 * HALF)).allMatch(TransmitQueueTest::isAnswer);
    assertThat(left).hasSize(ANSWERS + 100);
    assertThat(left.stream().filter(TransmitQueueTest::isAnswer).map(Packet::psn))
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void theResponseGoesOnWhileRequestsHaveToWait() {
    answerLongRead();
    us.post(SendWr.send(1, sge(source, 0, 150 * MTU))); // More than may be unacknowledged: 128.

    List<Packet> left = us.transmit();

    assertThat(left.stream().filter(TransmitQueueTest::isAnswer)).hasSize(ANSWERS);
    assertThat(left).hasSize(ANSWERS + 128);
  }
}

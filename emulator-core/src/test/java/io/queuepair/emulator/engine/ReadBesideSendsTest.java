// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.reth;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.SendWr;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A queue pair that answers a long READ and has requests of its own sends both. */
final class ReadBesideSendsTest {
  private static final int ANSWERS = 200;

  /** Half of what a queue pair sends before it is the next one's turn. */
  private static final int HALF = 32;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory memory = us.register(new byte[ANSWERS * MTU]);

  private void answerLongRead() {
    us.deliver(us.peer().readRequest(PEER_PSN, reth(memory, 0, ANSWERS * MTU)));
  }

  private static boolean isAnswer(Packet packet) {
    return packet.opcode().isResponse();
  }

  @Test
  void aRequestDoesNotWaitForTheEndOfTheResponse() {
    answerLongRead();
    us.post(SendWr.send(1, sge(memory, 0, 1)));

    List<String> left = EngineFixture.brief(us.transmit());

    assertThat(left).hasSize(ANSWERS + 1);
    assertThat(left.indexOf("SEND_ONLY " + OWN_PSN)).isEqualTo(HALF);
  }

  @Test
  void aRequestThatIsPostedInTheMiddleOfTheResponseDoesNotWaitForItsEnd() {
    answerLongRead();
    us.transmitOne();
    us.post(SendWr.send(1, sge(memory, 0, 1)));

    assertThat(EngineFixture.brief(us.transmit()).indexOf("SEND_ONLY " + OWN_PSN))
        .isEqualTo(HALF - 1);
  }

  @Test
  void answersAndRequestsShareEvenly() {
    answerLongRead();
    us.post(SendWr.send(1, sge(memory, 0, 100 * MTU)));

    List<Packet> left = us.transmit();

    assertThat(left.subList(0, HALF)).allMatch(ReadBesideSendsTest::isAnswer);
    assertThat(left.subList(HALF, 2 * HALF)).noneMatch(ReadBesideSendsTest::isAnswer);
    assertThat(left.subList(2 * HALF, 3 * HALF)).allMatch(ReadBesideSendsTest::isAnswer);
    assertThat(left).hasSize(ANSWERS + 100);
  }

  @Test
  void theResponseGoesOnWhileRequestsHaveToWait() {
    answerLongRead();
    us.post(SendWr.send(1, sge(memory, 0, 150 * MTU))); // More than may be unacknowledged: 128.

    List<Packet> left = us.transmit();

    assertThat(left.stream().filter(ReadBesideSendsTest::isAnswer)).hasSize(ANSWERS);
    assertThat(left).hasSize(ANSWERS + 128);
  }

  @Test
  void theResponseStaysInPsnOrder() {
    answerLongRead();
    us.post(SendWr.send(1, sge(memory, 0, 100 * MTU)));

    List<Integer> psns =
        us.transmit().stream().filter(ReadBesideSendsTest::isAnswer).map(Packet::psn).toList();

    assertThat(psns).isSorted().doesNotHaveDuplicates().hasSize(ANSWERS);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A READ longer than the window that loses a part of its answer: the specification lets a requester
 * ask again for any part of a READ whose response has not come, so it asks for a window at a time.
 */
final class LongReadRetryTest {
  private static final Opcode FIRST = Opcode.RC_RDMA_READ_RESPONSE_FIRST;
  private static final Opcode MIDDLE = Opcode.RC_RDMA_READ_RESPONSE_MIDDLE;
  private static final Opcode LAST = Opcode.RC_RDMA_READ_RESPONSE_LAST;
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;
  private static final int WINDOW = SendWindowConfig.softRoce().windowPackets();
  private static final int PACKETS = 2 * WINDOW + 10;
  private static final int LENGTH = PACKETS * MTU;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory target = us.register(new byte[LENGTH]);

  private List<Packet> read() {
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, LENGTH)));
    return us.transmit();
  }

  private Packet request(int number, int packets) {
    long from = REMOTE + (long) number * MTU;
    return us.own().readRequest(OWN_PSN + number, new Reth(from, RKEY, (long) packets * MTU));
  }

  private Packet answer(Opcode opcode, int number) {
    return us.peer().readResponse(opcode, OWN_PSN + number, 1, new byte[MTU]);
  }

  /** A whole answer to a request for a part; what leaves after each of its packets. */
  private List<Packet> receivePart(int number, int packets) {
    List<Packet> sent = new ArrayList<>(us.receive(answer(FIRST, number)));
    for (int i = 1; i < packets - 1; i++) {
      sent.addAll(us.receive(answer(MIDDLE, number + i)));
    }
    assertThat(sent).as("sent before the part was there").isEmpty();
    return us.receive(answer(LAST, number + packets - 1));
  }

  @Test
  void asksForAllAtFirst() {
    assertThat(read()).containsExactly(request(0, PACKETS));
  }

  @Test
  void asksForOneWindowAtATimeAfterALoss() {
    read();

    List<Packet> first = us.receive(answer(FIRST, 0), answer(MIDDLE, 2));
    List<Packet> second = receivePart(1, WINDOW - 1);
    List<Packet> third = receivePart(WINDOW, WINDOW);

    assertThat(first).containsExactly(request(1, WINDOW - 1));
    assertThat(second).containsExactly(request(WINDOW, WINDOW));
    assertThat(third).containsExactly(request(2 * WINDOW, 10));
    assertThat(receivePart(2 * WINDOW, 10)).isEmpty();
    assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
  }

  @Test
  void asksForAPartAgainIfItsAnswerIsLost() {
    read();
    us.elapse(TIMEOUT_NANOS);
    us.receive(answer(FIRST, 0));

    assertThat(us.elapse(TIMEOUT_NANOS)).containsExactly(request(1, WINDOW - 1));
  }

  /** The part was asked for twice, the second time from later on, as it was late. */
  @Test
  void takesTheEndOfALateAnswerToAPart() {
    read();
    us.elapse(TIMEOUT_NANOS);
    us.receive(answer(FIRST, 0), answer(MIDDLE, 1));
    us.elapse(TIMEOUT_NANOS);

    for (int i = 2; i < WINDOW - 1; i++) {
      us.receive(answer(MIDDLE, i));
    }

    assertThat(us.receive(answer(LAST, WINDOW - 1))).containsExactly(request(WINDOW, WINDOW));
  }

  @Test
  void takesNoEndInAnAnswerThatWasAskedForInOnePiece() {
    read();

    us.receive(answer(FIRST, 0));
    for (int i = 1; i < WINDOW - 1; i++) {
      us.receive(answer(MIDDLE, i));
    }
    us.receive(answer(LAST, WINDOW - 1));

    assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR");
  }

  @Test
  void takesTheFirstAnswerBeyondTheEndOfAPart() {
    read();
    us.elapse(TIMEOUT_NANOS);

    us.receive(answer(FIRST, 0));
    for (int i = 1; i < PACKETS - 1; i++) {
      us.receive(answer(MIDDLE, i));
    }
    us.receive(answer(LAST, PACKETS - 1));

    assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
  }

  @Test
  void takesNoEndOfAnAnswerBeforeTheEndOfAPart() {
    read();
    us.elapse(TIMEOUT_NANOS);

    us.receive(answer(FIRST, 0), answer(LAST, 1));

    assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR");
  }

  @Test
  void startsWhatFollowsOnlyBehindTheLastPart() {
    read();
    us.elapse(TIMEOUT_NANOS);

    us.post(SendWr.send(2));

    assertThat(us.transmit()).isEmpty();
    assertThat(receivePart(0, WINDOW)).containsExactly(request(WINDOW, WINDOW));
    assertThat(EngineFixture.brief(receivePart(WINDOW, WINDOW)))
        .containsExactly(
            "RDMA_READ_REQUEST " + (OWN_PSN + 2 * WINDOW), "SEND_ONLY " + (OWN_PSN + PACKETS));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.MTU;
import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicAckEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that no responder may send. */
final class HostileResponseTest {
  private static final long REMOTE = 0x7fff_0000_1000L;
  private static final int RKEY = 0x1234;
  private static final int LENGTH = 2 * MTU + 3;

  private final EngineFixture us = EngineFixture.ready();
  private final RegisteredMemory target = us.register(new byte[4 * MTU]);

  private void assertBadResponse(Packet... responses) {
    us.receive(responses);

    assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  private void read(int length) {
    us.post(SendWr.rdmaRead(1, REMOTE, RKEY, sge(target, 0, length)), SendWr.send(2));
    us.transmit();
  }

  private Packet response(String position, int psn, int bytes) {
    Opcode opcode = Opcode.valueOf("RC_RDMA_READ_RESPONSE_" + position);
    return us.peer().readResponse(opcode, psn, 1, new byte[bytes]);
  }

  @ParameterizedTest
  @CsvSource({
    // A READ of 8 bytes is answered by ONLY with 8 bytes.
    "8, ONLY, 7",
    "8, ONLY, 9",
    "8, ONLY, 0",
    "8, FIRST, 256",
    "8, MIDDLE, 256",
    "8, LAST, 8",
    // A READ of 515 bytes begins with FIRST and 256 bytes.
    "515, FIRST, 255",
    "515, FIRST, 0",
    "515, FIRST, 257",
    "515, ONLY, 256",
    "515, ONLY, 515",
    "515, MIDDLE, 256",
    "515, LAST, 3",
    // A READ of nothing is answered by ONLY with nothing.
    "0, ONLY, 1",
    "0, FIRST, 256",
  })
  void failsAReadThatIsAnsweredWrongly(int length, String position, int bytes) {
    read(length);

    assertBadResponse(response(position, OWN_PSN, bytes));
  }

  @ParameterizedTest
  @CsvSource({
    "FIRST, 256",
    "MIDDLE, 255",
    "MIDDLE, 0",
    "MIDDLE, 257",
    "LAST, 3",
    "LAST, 256",
    "ONLY, 3"
  })
  void failsAReadWhoseAnswerGoesOnWrongly(String position, int bytes) {
    read(LENGTH);

    assertBadResponse(response("FIRST", OWN_PSN, MTU), response(position, OWN_PSN + 1, bytes));
  }

  @ParameterizedTest
  @CsvSource({"LAST, 2", "LAST, 4", "LAST, 0", "LAST, 256", "MIDDLE, 256", "ONLY, 3", "FIRST, 256"})
  void failsAReadWhoseAnswerEndsWrongly(String position, int bytes) {
    read(LENGTH);

    assertBadResponse(
        response("FIRST", OWN_PSN, MTU),
        response("MIDDLE", OWN_PSN + 1, MTU),
        response(position, OWN_PSN + 2, bytes));
  }

  /**
   * Only an acknowledge packet is a NAK: the syndrome of a response with data is that of an ACK.
   */
  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x60, 0x62})
  void failsAReadWhoseAnswerHasTheSyndromeOfANak(int syndrome) {
    read(8);
    Opcode only = Opcode.RC_RDMA_READ_RESPONSE_ONLY;

    assertBadResponse(us.peer().of(only, OWN_PSN, ones(8), new Aeth(syndrome, 1)));

    assertThat(contentOf(target)).containsOnly(0);
  }

  @Test
  void placesNothingOfAnAnswerThatIsTooLong() {
    read(8);

    us.receive(us.peer().readResponse(Opcode.RC_RDMA_READ_RESPONSE_ONLY, OWN_PSN, 1, ones(12)));

    assertThat(contentOf(target)).containsOnly(0);
  }

  private static byte[] ones(int length) {
    return TestPayloads.fill(length, 1);
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RC_RDMA_READ_RESPONSE_ONLY", "RC_RDMA_READ_RESPONSE_FIRST"})
  void failsASendThatIsAnsweredLikeARead(Opcode opcode) {
    us.post(SendWr.send(1, sge(target, 0, 8)), SendWr.send(2));
    us.transmit();

    assertBadResponse(us.peer().readResponse(opcode, OWN_PSN, 1, new byte[MTU]));
  }

  @Test
  void failsASendThatIsAnsweredLikeAnAtomic() {
    us.post(SendWr.send(1), SendWr.send(2));
    us.transmit();

    assertBadResponse(
        us.peer()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN,
                new byte[0],
                Aeth.ack(1),
                new AtomicAckEth(0)));
  }

  @Test
  void failsAReadThatIsAnsweredLikeAnAtomic() {
    read(8);

    assertBadResponse(
        us.peer()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN,
                new byte[0],
                Aeth.ack(1),
                new AtomicAckEth(0)));
  }

  @ParameterizedTest
  @EnumSource(
      mode = Mode.INCLUDE,
      names = {"RC_RDMA_READ_RESPONSE_ONLY", "RC_ACKNOWLEDGE"})
  void ignoresResponsesWhenNothingIsOutstanding(Opcode opcode) {
    us.receive(us.peer().of(opcode, OWN_PSN, new byte[0], Aeth.ack(0)));

    assertThat(us.sends()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void ignoresAReadAnswerThatWasSeenBefore() {
    read(LENGTH);

    us.receive(
        response("FIRST", OWN_PSN, MTU),
        response("FIRST", OWN_PSN, MTU),
        response("MIDDLE", OWN_PSN + 1, MTU),
        response("MIDDLE", OWN_PSN + 1, MTU),
        response("LAST", OWN_PSN + 2, 3),
        response("LAST", OWN_PSN + 2, 3));

    assertThat(us.sends()).containsExactly("1 RDMA_READ " + LENGTH);
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  /** An atomic has no other answer than the value it found; a NAK is an acknowledge packet. */
  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x60, 0x62})
  void failsAnAtomicWhoseAnswerHasTheSyndromeOfANak(int syndrome) {
    us.post(
        SendWr.fetchAndAdd(1, new SendWr.RemoteTarget(REMOTE, RKEY), 1, sge(target, 0, 8)),
        SendWr.send(2));
    us.transmit();

    assertBadResponse(
        us.peer()
            .of(
                Opcode.RC_ATOMIC_ACKNOWLEDGE,
                OWN_PSN,
                new byte[0],
                new Aeth(syndrome, 1),
                new AtomicAckEth(-1)));

    assertThat(contentOf(target)).containsOnly(0);
  }

  private void flush() {
    us.post(
        new FlushWr(
            1,
            Set.of(SendFlag.SIGNALED),
            REMOTE,
            RKEY,
            8,
            Set.of(PlacementType.GLOBAL),
            SelectivityLevel.RANGE),
        SendWr.send(2));
    us.transmit();
  }

  /** A FLUSH is answered like a READ of nothing. */
  @ParameterizedTest
  @CsvSource({"ONLY, 1", "ONLY, 8", "ONLY, 256", "FIRST, 256", "MIDDLE, 256", "LAST, 8"})
  void failsAFlushThatIsAnsweredWithData(String position, int bytes) {
    flush();

    assertBadResponse(response(position, OWN_PSN, bytes));
  }

  @ParameterizedTest
  @ValueSource(ints = {0x20, 0x60, 0x62})
  void failsAFlushWhoseAnswerHasTheSyndromeOfANak(int syndrome) {
    flush();
    Opcode only = Opcode.RC_RDMA_READ_RESPONSE_ONLY;

    assertBadResponse(us.peer().of(only, OWN_PSN, new byte[0], new Aeth(syndrome, 1)));
  }
}

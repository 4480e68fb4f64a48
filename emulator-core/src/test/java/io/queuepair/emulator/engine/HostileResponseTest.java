// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.contentOf;
import static io.queuepair.emulator.engine.EngineFixture.sge;
import static io.queuepair.emulator.engine.EngineScript.REMOTE;
import static io.queuepair.emulator.engine.EngineScript.RKEY;
import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses that no responder may send. Only an acknowledge packet is a NAK: the syndrome of a
 * response with data is that of an ACK.
 */
final class HostileResponseTest {
  private final EngineFixture us = EngineFixture.ready();

  private void assertBadResponse(String responses) {
    us.run("send 2; " + responses);

    assertThat(us.sends()).containsExactly("1 BAD_RESP_ERR", "2 WR_FLUSH_ERR");
    assertThat(us.state()).isEqualTo(QpState.ERR);
  }

  @ParameterizedTest
  @CsvSource({
    // A READ of 8 bytes is answered by ONLY with 8 bytes.
    "8, ONLY 100 7",
    "8, ONLY 100 9",
    "8, ONLY 100 12",
    "8, ONLY 100 0",
    "8, FIRST 100 256",
    "8, MIDDLE 100 256",
    "8, LAST 100 8",
    "8, ONLY 100 8 /20",
    "8, ONLY 100 8 /60",
    "8, ONLY 100 8 /62",
    // A READ of 515 bytes begins with FIRST and 256 bytes.
    "515, FIRST 100 255",
    "515, FIRST 100 0",
    "515, FIRST 100 257",
    "515, ONLY 100 256",
    "515, ONLY 100 515",
    "515, MIDDLE 100 256",
    "515, LAST 100 3",
    // A READ of nothing is answered by ONLY with nothing.
    "0, ONLY 100 1",
    "0, FIRST 100 256",
  })
  void failsAReadThatIsAnsweredWrongly(int length, String response) {
    us.run("read 1 " + length);

    assertBadResponse("READ_RESPONSE_" + response);
    assertThat(contentOf(us.region())).containsOnly(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FIRST 101 256",
        "MIDDLE 101 255",
        "MIDDLE 101 0",
        "MIDDLE 101 257",
        "LAST 101 3",
        "LAST 101 256",
        "ONLY 101 3",
        "MIDDLE 101; READ_RESPONSE_LAST 102 2",
        "MIDDLE 101; READ_RESPONSE_LAST 102 4",
        "MIDDLE 101; READ_RESPONSE_LAST 102 0",
        "MIDDLE 101; READ_RESPONSE_LAST 102 256",
        "MIDDLE 101; READ_RESPONSE_MIDDLE 102 256",
        "MIDDLE 101; READ_RESPONSE_ONLY 102 3",
        "MIDDLE 101; READ_RESPONSE_FIRST 102 256",
      })
  void failsAReadWhoseAnswerGoesOnOrEndsWrongly(String responses) {
    us.run("read 1 515");

    assertBadResponse("READ_RESPONSE_FIRST 100; READ_RESPONSE_" + responses);
  }

  @ParameterizedTest
  @CsvSource({
    "send 1 8, READ_RESPONSE_ONLY 100 256",
    "send 1 8, READ_RESPONSE_FIRST 100 256",
    "send 1, ATOMIC_ACKNOWLEDGE 100",
    "read 1 8, ATOMIC_ACKNOWLEDGE 100",
  })
  void failsWhatIsAnsweredLikeSomethingElse(String request, String response) {
    us.run(request);

    assertBadResponse(response);
  }

  @ParameterizedTest
  @ValueSource(strings = {"READ_RESPONSE_ONLY 100", "ACK 100 #0"})
  void ignoresResponsesWhenNothingIsOutstanding(String response) {
    us.run(response);

    assertThat(us.sends()).isEmpty();
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  @Test
  void ignoresAReadAnswerThatWasSeenBefore() {
    us.run("read 1 515; READ_RESPONSE_FIRST 100; READ_RESPONSE_FIRST 100");
    us.run("READ_RESPONSE_MIDDLE 101; READ_RESPONSE_MIDDLE 101");
    us.run("READ_RESPONSE_LAST 102 3; READ_RESPONSE_LAST 102 3");

    assertThat(us.sends()).containsExactly("1 RDMA_READ 515");
    assertThat(us.state()).isEqualTo(QpState.RTS);
  }

  /** An atomic has no other answer than the value it found; a NAK is an acknowledge packet. */
  @ParameterizedTest
  @ValueSource(strings = {"/20", "/60", "/62"})
  void failsAnAtomicWhoseAnswerHasTheSyndromeOfANak(String syndrome) {
    us.post(
        SendWr.fetchAndAdd(1, new SendWr.RemoteTarget(REMOTE, RKEY), 1, sge(us.region(), 0, 8)));

    assertBadResponse("ATOMIC_ACKNOWLEDGE 100 " + syndrome);
    assertThat(contentOf(us.region())).containsOnly(0);
  }

  /** A FLUSH is answered like a READ of nothing. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ONLY 100 1",
        "ONLY 100 8",
        "ONLY 100 256",
        "FIRST 100 256",
        "MIDDLE 100 256",
        "LAST 100 8",
        "ONLY 100 /20",
        "ONLY 100 /60",
        "ONLY 100 /62",
      })
  void failsAFlushThatIsAnsweredWithDataOrTheSyndromeOfANak(String response) {
    Set<SendFlag> flags = Set.of(SendFlag.SIGNALED);
    Set<PlacementType> placement = Set.of(PlacementType.GLOBAL);
    us.post(new FlushWr(1, flags, REMOTE, RKEY, 8, placement, SelectivityLevel.RANGE));

    assertBadResponse("READ_RESPONSE_" + response);
  }
}

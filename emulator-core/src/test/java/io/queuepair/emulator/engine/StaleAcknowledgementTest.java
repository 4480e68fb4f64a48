// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.Test;

/** Acknowledgements of what is not outstanding, in the explanation of a send without an answer. */
final class StaleAcknowledgementTest {
  private static final String NO_ANSWER =
      "no answer to PSN %d within the ACK timeout (TIMEOUT 14), also after 1 retry (RETRY_CNT). ";

  /** The peer of the fixture, number 0x77. */
  private static final String NOTHING =
      "Nothing came back from queue pair 119 of 10.0.0.2; own GID index 0.";

  private final EngineFixture us = EngineFixture.ready(attr -> attr.retryCnt(1));

  private void send(int wrId) {
    us.post(SendWr.send(wrId));
    us.transmit();
  }

  private void receiveAck(int psn) {
    us.receive(us.peer().ack(psn, 1));
  }

  private String explanationOfFailure() {
    us.elapse(2 * TIMEOUT_NANOS);
    return us.explanation();
  }

  @Test
  void isNamedIfItCameInsteadOfAnAnswer() {
    send(1);
    receiveAck(OWN_PSN - 5);
    receiveAck(OWN_PSN - 5);

    assertThat(explanationOfFailure())
        .startsWith(String.format(NO_ANSWER, OWN_PSN))
        .contains("2 acknowledgements came, for PSN " + (OWN_PSN - 5));
  }

  /** As a peer answers duplicates while the rest of the first message is missing. */
  @Test
  void thatOfThePsnBeforeTheFirstSaysOnlyThatNothingIsAcknowledged() {
    send(1);
    receiveAck(OWN_PSN - 1);
    receiveAck(OWN_PSN - 1);

    assertThat(explanationOfFailure())
        .isEqualTo(
            String.format(NO_ANSWER, OWN_PSN)
                + "2 acknowledgements came, for PSN "
                + (OWN_PSN - 1)
                + ", the one before the first: nothing was acknowledged yet.");
  }

  @Test
  void isForgottenWithTheNextAnswer() {
    send(1);
    receiveAck(OWN_PSN - 5);
    receiveAck(OWN_PSN);
    send(2);
    assertThat(us.sends()).containsExactly("1 SEND 0");

    assertThat(explanationOfFailure()).isEqualTo(String.format(NO_ANSWER, OWN_PSN + 1) + NOTHING);
  }

  @Test
  void isNotNamedIfNothingWasOutstandingWhenItCame() {
    send(1);
    receiveAck(OWN_PSN);
    receiveAck(OWN_PSN); // The network has doubled it.
    send(2);
    assertThat(us.sends()).containsExactly("1 SEND 0");

    assertThat(explanationOfFailure()).isEqualTo(String.format(NO_ANSWER, OWN_PSN + 1) + NOTHING);
  }
}

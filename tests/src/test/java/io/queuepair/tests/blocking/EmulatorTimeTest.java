// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A program lets time pass, looks at the clock, and waits no longer than it wants to. */
@Timeout(60)
final class EmulatorTimeTest {
  private static final Duration LATENCY = Duration.ofMillis(1);

  @AutoClose
  private final Emulator emulator =
      Emulator.on(
          InMemoryFabric.create(
              InMemoryOptions.virtualTime()
                  .withPollRunsEvents(false)
                  .withLatencyNanos(LATENCY.toNanos())));

  /** Two queue pairs that are connected, each with a queue for all its completions. */
  private record TimedConnection(
      QueuePair a, QueuePair b, CompletionQueue ofA, CompletionQueue ofB) {
    static TimedConnection on(Emulator emulator) {
      CompletionQueue ofA = emulator.addDevice("10.0.0.1").open().createCq(8);
      CompletionQueue ofB = emulator.addDevice("10.0.0.2").open().createCq(8);
      QueuePair a = ofA.context().allocPd().createQp(QpInitAttr.rc(ofA, QpCap.of(8)));
      QueuePair b = ofB.context().allocPd().createQp(QpInitAttr.rc(ofB, QpCap.of(8)));
      Emulator.connect(a, b);
      return new TimedConnection(a, b, ofA, ofB);
    }

    void send() {
      b.postRecv(RecvWr.of(1));
      a.postSend(SendWr.send(2));
    }
  }

  @Test
  void virtualTimeBeginsAtZeroAndStandsWhereARunEnds() {
    assertThat(emulator.now()).isZero();

    emulator.run(Duration.ofMillis(5));
    emulator.run(Duration.ofNanos(7));
    emulator.run(Duration.ZERO);

    assertThat(emulator.now()).isEqualTo(Duration.ofNanos(5_000_007));
  }

  @Test
  void aRunOfNegativeLengthIsRefused() {
    assertThatThrownBy(() -> emulator.run(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a duration of PT-0.001S is negative");
  }

  @Test
  void aWaitEndsAtItsTimeLimit() {
    TimedConnection connection = TimedConnection.on(emulator);
    connection.send();

    assertThat(emulator.await(connection.ofA(), LATENCY)).isEmpty();
    assertThat(emulator.now()).isEqualTo(LATENCY);
    assertThat(emulator.await(connection.ofA(), LATENCY))
        .get()
        .extracting(WorkCompletion::wrId)
        .isEqualTo(2L);
  }
}

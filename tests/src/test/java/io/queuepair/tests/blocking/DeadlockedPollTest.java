// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In virtual time a loop of polls that can never find anything ends, as a wait does. */
@Timeout(60)
final class DeadlockedPollTest {
  private static final int LIMIT = 50;

  private static InMemoryOptions limited() {
    return InMemoryOptions.virtualTime().withMaxEmptyPolls(LIMIT);
  }

  private static Pair.Builder pair(InMemoryOptions options) {
    return Pair.on(InMemoryFabric.create(options));
  }

  /** Polls as long as nothing is found, and says how it ended. */
  private static Ending pollUntilRefused(BooleanSupplier poll) {
    int[] polls = new int[1];
    VerbsException refusal =
        catchThrowableOfType(
            VerbsException.class,
            () -> {
              do {
                polls[0]++;
              } while (!poll.getAsBoolean());
            });
    return new Ending(polls[0], refusal);
  }

  private record Ending(int polls, VerbsException refusal) {}

  @Test
  void theMillionthPollOnAnIdleNetworkIsRefusedWithTheReportOfAWait() {
    try (Emulator emulator = Emulator.inMemory()) {
      CompletionQueue cq = emulator.addDevice("10.0.0.1").open().createCq(4);

      Ending ending = pollUntilRefused(() -> !cq.poll(1).isEmpty());

      assertThat(ending.polls()).isEqualTo(1_000_000);
      assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
      assertThat(ending.refusal())
          .hasMessageStartingWith(
              "ibv_poll_cq: EDEADLK: the wait for a completion in a queue that no queue pair uses"
                  + " would block for ever: the last 1000000 polls found nothing, and the network"
                  + " is idle");
    }
  }

  /** The ways to look without waiting for ever. */
  private enum PollForm {
    LIST("ibv_poll_cq"),
    ARRAY("ibv_poll_cq"),
    EXTENDED("ibv_start_poll"),
    ANNOUNCEMENT("ibv_get_cq_event"),
    EVENT("ibv_get_async_event"),
    ANNOUNCEMENT_WITHIN_A_MILLISECOND("ibv_get_cq_event");

    private final String verb;

    PollForm(String verb) {
      this.verb = verb;
    }

    private boolean find(Pair pair, ExtendedCompletionQueue extended) {
      return switch (this) {
        case LIST -> !pair.a().sendCq().poll(1).isEmpty();
        case ARRAY -> pair.a().sendCq().poll(new WorkCompletion[3]) > 0;
        case EXTENDED -> extended.startPoll(PollCqAttr.NONE).nextPoll();
        case ANNOUNCEMENT -> pair.a().channel().getCqEvent(Duration.ZERO).isPresent();
        case EVENT -> pair.a().context().getAsyncEvent(Duration.ZERO).isPresent();
        case ANNOUNCEMENT_WITHIN_A_MILLISECOND ->
            pair.a().channel().getCqEvent(Duration.ofMillis(1)).isPresent();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyFormOfPollIsRefused(PollForm form) {
    try (Pair pair = pair(limited()).connect()) {
      ExtendedCompletionQueue extended = pair.a().context().createCqEx(CqInitAttrEx.of(4));

      Ending ending = pollUntilRefused(() -> form.find(pair, extended));

      assertThat(ending.polls()).isEqualTo(LIMIT);
      assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
      assertThat(ending.refusal().verb()).isEqualTo(form.verb);
      assertThat(ending.refusal())
          .hasMessageContaining("the last 50 polls found nothing, and the network is idle")
          .hasMessageContaining("(RC, RTS): nothing is posted");
    }
  }

  @Test
  void anotherRowOfPollsMayBeAsLong() {
    try (Pair pair = pair(limited()).connect()) {
      pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty()).polls())
          .isEqualTo(LIMIT);
    }
  }

  /** RNR_RETRY 7: there is always a packet, or a timer. */
  @Test
  void aReceiverThatIsNeverReadyEndsTheLoop() {
    try (Pair pair = pair(limited()).rts(attr -> attr.rnrRetry(7)).connect()) {
      pair.a().qp().postSend(SendWr.send(7));

      Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(ending.refusal().errno()).isEqualTo(Errno.EDEADLK);
      assertThat(ending.refusal())
          .hasMessageContaining("packets are only sent to be refused again")
          .hasMessageContaining("RNR_RETRY is 7");
    }
  }

  /** Of 64 packets, each of them an event for a poll to run. */
  @Test
  void aLongTransferIsPolledToItsEnd() {
    try (Pair pair = pair(limited()).connect()) {
      pair.b().qp().postRecv(RecvWr.of(1, pair.b().region().sge()));
      pair.a().qp().postSend(SendWr.send(7, pair.a().region().sge()));

      Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(ending.refusal()).isNull();
      assertThat(ending.polls()).isGreaterThan(LIMIT);
    }
  }

  @Test
  void aRetryThatTakesLongIsPolledToItsEnd() {
    try (Pair pair = pair(limited()).rts(attr -> attr.timeout(22).retryCnt(7)).connect()) {
      pair.b().qp().modify(QpAttr.to(QpState.RESET));
      pair.a().qp().postSend(SendWr.send(7));

      assertThat(pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty()).refusal()).isNull();
    }
  }

  /** The other side has all the work to do, and its polls run the network. */
  @Test
  void aQueueMayStayEmptyWhileTheNetworkIsAtWork() {
    try (Pair pair = pair(limited()).connect()) {
      for (int i = 0; i < 3 * LIMIT; i++) {
        pair.b().qp().postRecv(RecvWr.of(i));
        pair.a().qp().postSend(SendWr.send(i));
        boolean done = false;
        while (!done) {
          done = !pair.a().sendCq().poll(1).isEmpty();
          assertThat(pair.a().recvCq().poll(1)).isEmpty();
        }
        assertThat(pair.b().recvCq().poll(1)).hasSize(1);
      }
    }
  }

  @Test
  void aPollThatFindsSomethingBeginsANewRow() {
    try (Pair pair = pair(limited()).connect()) {
      pair.b().qp().modify(QpAttr.to(QpState.ERR));
      for (int i = 0; i < 2; i++) {
        pair.b().qp().postRecv(RecvWr.of(i));
        assertThatCode(
                () -> {
                  for (int poll = 1; poll < LIMIT; poll++) {
                    pair.a().sendCq().poll(1);
                  }
                })
            .doesNotThrowAnyException();
        assertThat(pair.b().recvCq().poll(1)).hasSize(1);
      }
    }
  }

  @Test
  void pollsThatDoNotRunTheNetworkAreRefusedWhateverIsLeftToHappen() {
    try (Pair pair = pair(limited().withPollRunsEvents(false)).connect()) {
      pair.b().qp().postRecv(RecvWr.of(1));
      pair.a().qp().postSend(SendWr.send(7));

      Ending ending = pollUntilRefused(() -> !pair.a().sendCq().poll(1).isEmpty());

      assertThat(ending.refusal())
          .hasMessageContaining(
              "the last 50 polls found nothing, and polls do not run the network");
      assertThat(pair.await(pair.a().sendCq()).isSuccess()).isTrue();
    }
  }
}

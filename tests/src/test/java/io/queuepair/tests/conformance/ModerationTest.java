// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What {@code ibv_modify_cq} does to notifications: so many completions to one, or so many
 * microseconds. A flushed receive completes in the moment in which it is posted.
 */
final class ModerationTest {
  private static final boolean ANY = false;
  private static final boolean SOLICITED_ONLY = true;

  @AutoClose private final Pair pair = Pair.connected(LinkForm.OBJECTS);
  private final CompletionQueue cq = pair.b().recvCq();

  private void armed(int count, int periodMicros) {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));
    cq.modify(count, periodMicros);
    cq.reqNotify(ANY);
  }

  private void complete(int completions) {
    for (int wrId = 0; wrId < completions; wrId++) {
      pair.b().qp().postRecv(RecvWr.of(wrId));
    }
  }

  private boolean isAnnounced() {
    return pair.b().channel().getCqEvent(Duration.ZERO).isPresent();
  }

  /**
   * The count and the period of the queue, and what happens: so many completions, so many
   * nanoseconds, a request for the next notification (arm), other settings (count/period); and
   * whether there is a notification then (yes, no).
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "after so many completions, 3, 0, arm 2 no 1 yes",
    "when the period is over, 0, 50, arm 1 49999ns no 1ns yes",
    "before it is over if there are enough, 2, 50, arm 2 yes",
    "fewer when it is over, 3, 50, arm 2 49999ns no 1ns yes",
    "period from the first completion, 0, 50, arm 1000000ns 1 30000ns 1 19999ns no 1ns yes",
    "once for each arming, 2, 50, arm 5 1000000ns yes no",
    "from nothing after each announcement, 3, 0, arm 3 yes arm 2 no 1 yes",
    "nothing without completions, 1, 50, arm 1000000ns no",
    "nothing unasked, 2, 50, 4 1000000ns no",
    "only what came after the request, 3, 0, 2 arm 2 no 1 yes",
    "later when the period grows, 0, 10, arm 1 0/50 49999ns no 1ns yes",
    "after the largest period, 65535, 65535, arm 1 65534999ns no 1ns yes",
    "what was held back and is enough, 5, 0, arm 2 10000ns no 2/0 yes",
    "what was held back for long enough, 5, 0, arm 2 10000ns no 0/10 yes",
    "what is no longer held back, 5, 0, arm 2 10000ns no 0/0 yes",
    "the first of what was held back, 5, 0, arm 2 10000ns no 1/50 yes"
  })
  void announces(String what, int count, int periodMicros, String steps) {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));
    cq.modify(count, periodMicros);
    for (String step : steps.split(" ", -1)) {
      String[] numbers = step.replace("ns", "").split("/", -1);
      if (step.equals("arm")) {
        cq.reqNotify(ANY);
      } else if (step.equals("yes") || step.equals("no")) {
        assertThat(isAnnounced()).as(what).isEqualTo(step.equals("yes"));
      } else if (step.contains("/")) {
        cq.modify(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
      } else if (step.endsWith("ns")) {
        pair.run(Duration.ofNanos(Integer.parseInt(numbers[0])));
      } else {
        complete(Integer.parseInt(step));
      }
    }
  }

  @Test
  void countsOnlySolicitedCompletionsIfAskedFor() {
    complete(4);
    cq.modify(2, 0);
    cq.reqNotify(SOLICITED_ONLY);

    send(SendFlag.SOLICITED);
    send();
    send();
    assertThat(isAnnounced()).isFalse();
    send(SendFlag.SOLICITED);

    assertThat(isAnnounced()).isTrue();
  }

  private void send(SendFlag... flags) {
    pair.send(SendWr.send(1).withFlags(flags));
  }

  @Test
  void waitsForThePeriodInVirtualTime() {
    armed(0, 50);
    complete(1);
    long startNanos = pair.nowNanos();

    CompletionQueue announced = pair.b().channel().getCqEvent();

    assertThat(announced).isSameAs(cq);
    assertThat(pair.nowNanos() - startNanos).isEqualTo(50_000);
  }

  @Test
  void holdsNothingBackForADestroyedQueue() {
    armed(0, 50);
    complete(1);
    pair.b().qp().close();

    cq.close();
    pair.run(Duration.ofMillis(1));

    assertThat(isAnnounced()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "65536, 0", "0, -1", "0, 65536"})
  void refusesWhatIsNotSixteenBits(int count, int periodMicros) {
    Errnos.assertRefused(Errno.EINVAL, "is not 0 to 65535", () -> cq.modify(count, periodMicros));
  }

  /** An ACK timeout of 67 ms (code 14) and a period of 60 ms run at the same time. */
  @Test
  void announcesWhenThePeriodIsOverThoughARetryIsDueLater() {
    CompletionQueue moderated = pair.a().recvCq();
    moderated.modify(0, 60_000);
    moderated.reqNotify(ANY);
    pair.a().qp().postRecv(RecvWr.of(1));
    pair.b().qp().postSend(SendWr.send(1));
    pair.run(Duration.ofMillis(1));
    pair.b().qp().modify(QpAttr.to(QpState.RESET));
    pair.a().qp().postSend(SendWr.send(2));

    pair.run(Duration.ofMillis(58));
    assertThat(pair.a().channel().getCqEvent(Duration.ZERO)).isEmpty();
    pair.run(Duration.ofMillis(2));

    assertThat(pair.a().channel().getCqEvent(Duration.ZERO)).isPresent();
  }
}

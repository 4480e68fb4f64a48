// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
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
  private static final Duration ALMOST_50_MICROS = Duration.ofNanos(49_999);
  private static final Duration ONE_NANO = Duration.ofNanos(1);

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

  @Test
  void announcesAfterSoManyCompletions() {
    armed(3, 0);

    complete(2);
    assertThat(isAnnounced()).isFalse();
    complete(1);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void announcesWhenThePeriodIsOver() {
    armed(0, 50);

    complete(1);
    pair.run(ALMOST_50_MICROS);
    assertThat(isAnnounced()).isFalse();
    pair.run(ONE_NANO);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void announcesBeforeThePeriodIsOverIfThereAreEnough() {
    armed(2, 50);

    complete(2);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void announcesFewerWhenThePeriodIsOver() {
    armed(3, 50);

    complete(2);
    pair.run(ALMOST_50_MICROS);
    assertThat(isAnnounced()).isFalse();
    pair.run(ONE_NANO);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void measuresThePeriodFromTheFirstCompletion() {
    armed(0, 50);

    pair.run(Duration.ofMillis(1));
    complete(1);
    pair.run(Duration.ofNanos(30_000));
    complete(1);
    pair.run(Duration.ofNanos(19_999));
    assertThat(isAnnounced()).isFalse();
    pair.run(ONE_NANO);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void announcesOnceForEachArming() {
    armed(2, 50);

    complete(5);
    pair.run(Duration.ofMillis(1));

    assertThat(isAnnounced()).isTrue();
    assertThat(isAnnounced()).isFalse();
  }

  @Test
  void countsFromNothingAfterEachAnnouncement() {
    armed(3, 0);
    complete(3);
    assertThat(isAnnounced()).isTrue();
    cq.reqNotify(ANY);

    complete(2);
    assertThat(isAnnounced()).isFalse();
    complete(1);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void announcesNothingWithoutCompletions() {
    armed(1, 50);

    pair.run(Duration.ofMillis(1));

    assertThat(isAnnounced()).isFalse();
  }

  @Test
  void announcesNothingUnasked() {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));
    cq.modify(2, 50);

    complete(4);
    pair.run(Duration.ofMillis(1));

    assertThat(isAnnounced()).isFalse();
  }

  @Test
  void countsOnlyWhatCameAfterTheRequest() {
    pair.b().qp().modify(QpAttr.to(QpState.ERR));
    cq.modify(3, 0);
    complete(2);
    cq.reqNotify(ANY);

    complete(2);
    assertThat(isAnnounced()).isFalse();
    complete(1);

    assertThat(isAnnounced()).isTrue();
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
    pair.a().qp().postSend(SendWr.send(1).withFlags(flags));
    pair.drain();
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "0, 10", "0, 0", "1, 50"})
  void announcesWhatWasHeldBackWhenItIsEnough(int count, int periodMicros) {
    armed(5, 0);
    complete(2);
    pair.run(Duration.ofNanos(10_000));
    assertThat(isAnnounced()).isFalse();

    cq.modify(count, periodMicros);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void goesOnHoldingBackWhenThePeriodGrows() {
    armed(0, 10);
    complete(1);
    cq.modify(0, 50);

    pair.run(ALMOST_50_MICROS);
    assertThat(isAnnounced()).isFalse();
    pair.run(ONE_NANO);

    assertThat(isAnnounced()).isTrue();
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
    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> cq.modify(count, periodMicros));

    assertThat(refusal).hasMessageContaining("is not 0 to 65535");
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  void takesTheLargestValues() {
    armed(0xffff, 0xffff);
    complete(1);

    pair.run(Duration.ofNanos(65_534_999));
    assertThat(isAnnounced()).isFalse();
    pair.run(ONE_NANO);

    assertThat(isAnnounced()).isTrue();
  }

  @Test
  void isNotOfferedBySoftRoce() {
    try (QpFixture bench = new QpFixture(DeviceProfile.softRoce())) {
      CompletionQueue plain = bench.context().createCq(4);

      VerbsException refusal =
          catchThrowableOfType(VerbsException.class, () -> plain.modify(2, 50));

      assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
    }
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

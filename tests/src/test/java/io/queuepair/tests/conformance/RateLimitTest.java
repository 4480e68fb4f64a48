// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpRateLimitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** How fast raw packets go: ibv_modify_qp_rate_limit(3). */
final class RateLimitTest {
  /** A frame of 125 bytes, 1000 bits, takes a millisecond at 1000 kbit/s. */
  private static final int FRAME_BYTES = 125;

  private static final int KBITS = 1000;
  private static final long FRAME_NANOS = 1_000_000;

  private final Fabric fabric = LinkForm.OBJECTS.fabric();
  @AutoClose private final Segment segment = new Segment(fabric);

  /** Sends four frames; returns how long it took. */
  private long sendFour() {
    long start = fabric.scheduler().nowNanos();
    for (int wrId = 0; wrId < 4; wrId++) {
      segment.a().send(wrId, Frames.ofLength(FRAME_BYTES));
    }
    segment.drain();
    assertThat(segment.a().sends()).hasSize(4);
    return fabric.scheduler().nowNanos() - start;
  }

  @Test
  void framesAreApartAsTheRateSays() {
    assertThat(sendFour()).as("without limit").isLessThan(FRAME_NANOS);

    segment.a().qp().modifyRateLimit(QpRateLimitAttr.of(KBITS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
  }

  @Test
  void idleTimeIsNotSavedUp() {
    segment.a().qp().modifyRateLimit(QpRateLimitAttr.of(KBITS));
    sendFour();

    new VirtualTime(fabric.scheduler()).run(Duration.ofNanos(10 * FRAME_NANOS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
  }

  @Test
  void aBurstGoesAtOnce() {
    segment.a().qp().modifyRateLimit(new QpRateLimitAttr(KBITS, 2 * FRAME_BYTES, FRAME_BYTES));

    assertThat(sendFour()).isBetween(FRAME_NANOS, 2 * FRAME_NANOS - 1);
  }

  @Test
  void theAttributeOfModifyIsTheSame() {
    segment.a().qp().modify(new QpAttr().rateLimit(KBITS));

    assertThat(sendFour()).isBetween(3 * FRAME_NANOS, 4 * FRAME_NANOS - 1);
    assertThat(segment.a().qp().query().rateLimit()).isEqualTo(KBITS);
  }

  @Test
  void theEndOfTheLimitLetsWaitingFramesGo() {
    segment.a().qp().modifyRateLimit(QpRateLimitAttr.of(1));
    long start = fabric.scheduler().nowNanos();
    segment.a().send(0, Frames.ofLength(FRAME_BYTES));
    segment.a().send(1, Frames.ofLength(FRAME_BYTES));
    fabric.scheduler().runNext();

    segment.a().qp().modifyRateLimit(QpRateLimitAttr.of(0));
    segment.drain();

    assertThat(segment.a().sends()).containsExactly("0 SEND", "1 SEND");
    assertThat(fabric.scheduler().nowNanos() - start).isLessThan(FRAME_NANOS);
  }

  @Test
  void framesThatWaitAreFlushed() {
    segment.a().qp().modifyRateLimit(QpRateLimitAttr.of(1));
    segment.a().send(0, Frames.ofLength(FRAME_BYTES));
    segment.a().send(1, Frames.ofLength(FRAME_BYTES));
    fabric.scheduler().runNext();

    segment.a().qp().modify(QpAttr.to(QpState.ERR));
    segment.drain();

    assertThat(segment.a().sends()).containsExactly("0 SEND", "1 WR_FLUSH_ERR");
  }

  @Test
  void whatCannotBeLimitedIsRefused() {
    QueuePair raw = segment.b().qp();
    assertThat(Errnos.of(() -> raw.modifyRateLimit(QpRateLimitAttr.of(-1))))
        .isEqualTo(Errno.EINVAL);
    raw.modify(QpAttr.to(QpState.RESET));
    assertThat(Errnos.of(() -> raw.modifyRateLimit(QpRateLimitAttr.of(KBITS))))
        .isEqualTo(Errno.EINVAL);
    segment.b().steer(FlowAttr.normal()).close();
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      assertThat(Errnos.of(() -> pair.a().qp().modifyRateLimit(QpRateLimitAttr.of(KBITS))))
          .isEqualTo(Errno.EINVAL);
      QueuePair reset = pair.a().createQp(QpType.UD, new QpCap(1, 1, 1, 1, 0));
      assertThat(Errnos.of(() -> reset.modifyRateLimit(QpRateLimitAttr.of(KBITS))))
          .isEqualTo(Errno.EINVAL);
    }
  }
}

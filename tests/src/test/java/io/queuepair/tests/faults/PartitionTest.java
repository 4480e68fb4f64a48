// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.WcStatus;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A partition in the middle of a thousand reliable streams: nothing is lost, nothing doubled. */
final class PartitionTest {
  private static final int STREAMS = 1_000;

  private static final List<Integer> ALL = IntStream.range(0, Streams.MESSAGES).boxed().toList();

  private static Streams run(String plan) {
    return Streams.run(STREAMS, FaultPlan.parse(plan));
  }

  /** Streams of which some messages, not all, had arrived when the hosts were parted. */
  private static long inTheMiddle(Streams streams, long nanos) {
    return streams.all().stream()
        .filter(stream -> stream.arrivedBefore(nanos) > 0)
        .filter(stream -> stream.arrivedBefore(nanos) < Streams.MESSAGES)
        .count();
  }

  @Test
  void everyStreamRecoversFromAShortPartition() {
    // Retries begin after 4.096 us * 2^8, which is 1.05 ms, and the partition is over by then.
    try (Streams streams = run("partition 10.0.0.1 from 10.0.0.2 at 5us for 900us")) {
      assertThat(streams.dropped()).isGreaterThanOrEqualTo(STREAMS);
      assertThat(inTheMiddle(streams, 5_000)).isEqualTo(STREAMS);
      for (Stream stream : streams.all()) {
        assertThat(stream.completed()).isEqualTo(ALL);
        assertThat(stream.statuses()).containsOnly(WcStatus.SUCCESS);
        assertThat(stream.received()).isEqualTo(ALL);
      }
    }
  }

  @Test
  void everyStreamFailsAsDocumentedInALongPartition() {
    try (Streams streams = run("partition 10.0.0.1 from 10.0.0.2 at 5us")) {
      assertThat(inTheMiddle(streams, 5_000)).isEqualTo(STREAMS);
      for (Stream stream : streams.all()) {
        // Each WR that was posted completes once, in order: successes, the failure, flushes.
        assertThat(stream.completed()).isEqualTo(ALL.subList(0, stream.posted()));
        int succeeded = stream.statuses().indexOf(WcStatus.RETRY_EXC_ERR);
        List<WcStatus> statuses = stream.statuses();
        assertThat(statuses.subList(0, succeeded)).allMatch(status -> status == WcStatus.SUCCESS);
        assertThat(statuses.subList(succeeded + 1, statuses.size()))
            .isNotEmpty()
            .containsOnly(WcStatus.WR_FLUSH_ERR);
        assertThat(stream.sender().query().qpState()).isEqualTo(QpState.ERR);
        // What succeeded has arrived; of what failed, a prefix may have.
        int received = stream.received().size();
        assertThat(received).isBetween(succeeded, stream.posted());
        assertThat(stream.received()).isEqualTo(ALL.subList(0, received));
      }
    }
  }

  @Test
  void theSameRunGivesTheSameTrace() {
    String plan = "seed 3; partition 10.0.0.1 from 10.0.0.2 at 5us for 200us; drop 1%";
    try (Streams once = Streams.traced(50, FaultPlan.parse(plan));
        Streams again = Streams.traced(50, FaultPlan.parse(plan))) {
      assertThat(again.ladder()).isEqualTo(once.ladder()).hasSizeGreaterThan(50);
    }
  }
}

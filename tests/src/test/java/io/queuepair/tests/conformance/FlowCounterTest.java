// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import java.util.Arrays;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Counters of the frames that flows take: ibv_create_counters(3). */
final class FlowCounterTest {
  @AutoClose private final Segment segment = new Segment();
  private final Context context = segment.b().context();
  private final Counters counters = context.createCounters();

  private void send() {
    segment.a().send(9, Frames.PLAIN.to(segment.b().mac().toString()));
    segment.drain();
  }

  @Test
  void countersAreBusyWhileAFlowCountsAndKeepTheirValues() {
    Flow flow = segment.b().steer(FlowAttr.normal());
    counters.attachPointFlow(CounterDescription.PACKETS, 0, flow);
    send();

    assertThat(Errnos.of(counters::close)).isEqualTo(Errno.EBUSY);
    flow.close();
    send();

    assertThat(counters.read(1)).containsExactly(1);
    counters.close();
    assertThat(Errnos.of(() -> counters.read(1))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void whatIsOutOfRangeOrForeignIsRefused() {
    Flow flow = segment.b().steer(FlowAttr.normal());
    Flow foreign = segment.c().steer(FlowAttr.normal());
    CounterDescription packets = CounterDescription.PACKETS;

    for (int index : new int[] {-1, 1024}) {
      assertThat(Errnos.of(() -> counters.attachPointFlow(packets, index, flow)))
          .isEqualTo(Errno.EINVAL);
    }
    flow.close();
    for (Flow wrong : Arrays.asList(null, foreign, flow)) {
      assertThat(Errnos.of(() -> counters.attachPointFlow(packets, 0, wrong)))
          .isEqualTo(Errno.EINVAL);
    }
    for (int count : new int[] {-1, 1025}) {
      assertThat(Errnos.of(() -> counters.read(count))).isEqualTo(Errno.EINVAL);
    }
  }
}

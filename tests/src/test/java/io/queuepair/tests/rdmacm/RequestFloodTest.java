// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.HwCounter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Many requests at once do not keep a host from its other traffic. */
final class RequestFloodTest {
  private static final int REQUESTS = 200;

  /** At a millisecond for each, as of code that has not run before, a small part of a timeout. */
  private static final long MOST_AT_ONCE = 32;

  private static long sent(Context context) {
    return context.hwCounters(1).get(HwCounter.SENT_PKTS);
  }

  @Test
  void theNetworkGoesOnBetweenTheirAnswers() {
    InMemoryFabric network = InMemoryFabric.virtualTime();
    try (RdmaHosts hosts = new RdmaHosts(network, "10.0.0.1", "10.0.0.2")) {
      Context flooded = hosts.deviceB.open();
      List<RdmaCmId> ids = Stream.generate(hosts::active).limit(REQUESTS).toList();
      ids.forEach(RdmaCmId::connect);

      long mostAtOnce = 0;
      while (sent(flooded) < REQUESTS) {
        long before = sent(flooded);
        assertThat(network.scheduler().runNext()).isTrue();
        mostAtOnce = Math.max(mostAtOnce, sent(flooded) - before);
      }

      assertThat(mostAtOnce).isBetween(1L, MOST_AT_ONCE);
    }
  }
}

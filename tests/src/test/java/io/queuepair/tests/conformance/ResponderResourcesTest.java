// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** MAX_DEST_RD_ATOMIC: how many READs and atomics a responder has resources for at one moment. */
final class ResponderResourcesTest {
  private static final int READS = 4;
  private static final int BYTES = 4096;

  private static InMemoryFabric fabric(int burstPackets) {
    return InMemoryFabric.create(
        InMemoryOptions.virtualTime().withPollRunsEvents(false).withBurstPackets(burstPackets));
  }

  /** One side asks for several at a time, the other has resources for so many. */
  private static Pair.Builder pair(int burstPackets, int depth, int resources) {
    return Pair.on(fabric(burstPackets))
        .rtr(attr -> attr.maxDestRdAtomic(resources))
        .rts(attr -> attr.maxRdAtomic(depth));
  }

  private static List<String> read(Pair pair) {
    MemoryRegion from = pair.b().region();
    List<SendWr> reads = new ArrayList<>();
    for (int i = 0; i < READS; i++) {
      reads.add(
          SendWr.rdmaRead(i, from.addr(), from.rkey(), pair.a().region().sge(i * BYTES, BYTES)));
    }
    pair.a().qp().postSend(reads);
    pair.drain();
    return pair.a().sends();
  }

  /** Recorded: with max_dest_rd_atomic 1 Linux serves four concurrent READs. */
  @Test
  void softRoceAnswersAnyNumber() {
    try (Pair pair = pair(16, READS, 1).profile(DeviceProfile.softRoce()).connect()) {
      assertThat(read(pair)).hasSize(READS).allMatch(read -> read.contains("RDMA_READ"));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much is on its way, and what of it arrives together. */
final class InFlightTest {
  private static final int MTU_BYTES = 256;
  private static final int WRITES = 20;

  private static Pair connect(Fabric fabric) {
    return Pair.on(fabric)
        .mtu(Mtu.MTU_256)
        .cap(new QpCap(WRITES, 1, 1, 1, 0))
        .access(EnumSet.of(AccessFlag.REMOTE_WRITE))
        .connect();
  }

  /** WRITEs of a packet each, posted together, from different places to different places. */
  private static List<SendWr> writes(MemoryRegion from, MemoryRegion to) {
    List<SendWr> writes = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      int offset = i * MTU_BYTES;
      writes.add(SendWr.rdmaWrite(i, to.addr() + offset, to.rkey(), from.sge(offset, MTU_BYTES)));
    }
    return writes;
  }

  private static long sent(TestEndpoint side) {
    return side.context().hwCounters(1).get(HwCounter.SENT_PKTS);
  }

  /** Writes everything and returns how many packets left before the first answer. */
  private static long writeAll(Pair pair) {
    EnumSet<AccessFlag> rights = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    MemoryRegion from = pair.a().register(WRITES * MTU_BYTES, rights);
    MemoryRegion to = pair.b().register(WRITES * MTU_BYTES, rights);
    for (int i = 0; i < WRITES * MTU_BYTES; i++) {
      from.buffer().put(i, (byte) (i / MTU_BYTES + 1));
    }
    pair.a().qp().postSend(writes(from, to));
    long atOnce = sent(pair.a());
    for (int i = 0; i < WRITES; i++) {
      WorkCompletion completion = pair.await(pair.a().sendCq());
      assertThat(completion.isSuccess()).as(completion.explain()).isTrue();
      assertThat(completion.wrId()).isEqualTo(i);
    }
    assertThat(to.buffer()).isEqualTo(from.buffer());
    return atOnce;
  }

  @Test
  void aNetworkThatHoldsMuchGetsEverythingAtOnce() {
    try (Pair pair = connect(InMemoryFabric.virtualTime())) {
      assertThat(writeAll(pair)).isEqualTo(WRITES);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 20", "8, 3", "20, 1", "256, 1"})
  void whatArrivesTogetherIsAcknowledgedTogether(int burstPackets, long acknowledgements) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withBurstPackets(burstPackets);
    try (Pair pair = connect(InMemoryFabric.create(options))) {
      writeAll(pair);

      assertThat(sent(pair.b())).isEqualTo(acknowledgements);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FLUSH needs rights of its own, of the queue pair and of the memory. */
final class FlushTest {
  private static final Set<AccessFlag> BOTH =
      EnumSet.of(AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT);

  private static FlushWr flush(MemoryRegion region, PlacementType placement) {
    return new FlushWr(
        7,
        Set.of(SendFlag.SIGNALED),
        region.addr(),
        region.rkey(),
        64,
        Set.of(placement),
        SelectivityLevel.RANGE);
  }

  @ParameterizedTest
  @EnumSource(PlacementType.class)
  void succeedsOnMemoryWithTheRight(PlacementType placement) {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(BOTH).connect()) {
      MemoryRegion region = pair.b().register(64, BOTH);

      pair.a().qp().postSend(flush(region, placement));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("7 FLUSH");
    }
  }

  @Test
  void isRefusedOnMemoryWithoutTheRight() {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(BOTH).connect()) {
      MemoryRegion region = pair.b().register(64, EnumSet.of(AccessFlag.FLUSH_GLOBAL));

      pair.a().qp().postSend(flush(region, PlacementType.PERSISTENT));
      pair.drain();

      assertThat(pair.a().sends()).containsExactly("7 REM_ACCESS_ERR");
    }
  }
}

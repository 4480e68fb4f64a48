// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.BadWorkRequestException;
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
    return flush(region, 64, Set.of(placement));
  }

  private static FlushWr flush(MemoryRegion region, long bytes, Set<PlacementType> placements) {
    return new FlushWr(
        7,
        Set.of(SendFlag.SIGNALED),
        region.addr(),
        region.rkey(),
        bytes,
        placements,
        SelectivityLevel.RANGE);
  }

  @ParameterizedTest
  @EnumSource(PlacementType.class)
  void succeedsOnMemoryWithTheRight(PlacementType placement) {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(BOTH).connect()) {
      MemoryRegion region = pair.b().register(64, BOTH);

      pair.send(flush(region, placement));

      assertThat(pair.a().sends()).containsExactly("7 FLUSH");
    }
  }

  @Test
  void isRefusedOnMemoryWithoutTheRight() {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(BOTH).connect()) {
      MemoryRegion region = pair.b().register(64, EnumSet.of(AccessFlag.FLUSH_GLOBAL));

      pair.send(flush(region, PlacementType.PERSISTENT));

      assertThat(pair.a().sends()).containsExactly("7 REM_ACCESS_ERR");
    }
  }

  /** A right for each placement that is asked for (IBTA vol. 1, annex A19). */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"FLUSH_GLOBAL", "FLUSH_PERSISTENT"})
  void isRefusedOnAQueuePairWithOneOfTwoRights(AccessFlag right) {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(EnumSet.of(right)).connect()) {
      MemoryRegion region = pair.b().register(64, BOTH);

      pair.send(flush(region, 64, EnumSet.allOf(PlacementType.class)));

      assertThat(pair.a().sends()).containsExactly("7 REM_INV_REQ_ERR");
    }
  }

  /** The length is a field of 32 bits. */
  @Test
  void isRefusedWhenPostedIfItsLengthFitsNoPacket() {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(BOTH).connect()) {
      MemoryRegion region = pair.b().register(64, BOTH);
      Set<PlacementType> global = Set.of(PlacementType.GLOBAL);

      for (long bytes : new long[] {1L << 32, (1L << 32) + 1, 1L << 62, -1}) {
        assertThatThrownBy(() -> pair.a().qp().postSend(flush(region, bytes, global)))
            .isInstanceOf(BadWorkRequestException.class)
            .hasMessageContaining("EINVAL");
      }
      pair.send(flush(region, (1L << 32) - 1, global));

      assertThat(pair.a().sends()).containsExactly("7 REM_ACCESS_ERR");
    }
  }
}

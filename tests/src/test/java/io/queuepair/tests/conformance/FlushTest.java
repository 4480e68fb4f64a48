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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** FLUSH needs rights of its own, of the queue pair and of the memory. */
final class FlushTest {
  private static final Set<AccessFlag> BOTH =
      EnumSet.of(AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT);

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

  /**
   * The rights of the queue pair and of the memory, and what is asked for: each placement needs its
   * own right (IBTA vol. 1, annex A19).
   */
  static Stream<Arguments> rights() {
    Set<AccessFlag> global = Set.of(AccessFlag.FLUSH_GLOBAL);
    Set<AccessFlag> persistent = Set.of(AccessFlag.FLUSH_PERSISTENT);
    Set<PlacementType> all = EnumSet.allOf(PlacementType.class);
    return Stream.of(
        Arguments.of(BOTH, BOTH, Set.of(PlacementType.GLOBAL), "FLUSH"),
        Arguments.of(BOTH, BOTH, Set.of(PlacementType.PERSISTENT), "FLUSH"),
        Arguments.of(BOTH, global, Set.of(PlacementType.PERSISTENT), "REM_ACCESS_ERR"),
        Arguments.of(global, BOTH, all, "REM_INV_REQ_ERR"),
        Arguments.of(persistent, BOTH, all, "REM_INV_REQ_ERR"));
  }

  @ParameterizedTest
  @MethodSource("rights")
  void needsEachRight(
      Set<AccessFlag> ofQp, Set<AccessFlag> ofMemory, Set<PlacementType> asked, String outcome) {
    try (Pair pair = Pair.on(LinkForm.WIRE_EXACT).access(ofQp).connect()) {
      pair.send(flush(pair.b().register(64, ofMemory), 64, asked));

      assertThat(pair.a().sends()).containsExactly("7 " + outcome);
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

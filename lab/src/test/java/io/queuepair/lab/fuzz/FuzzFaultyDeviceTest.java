// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A device that checks too little is found out: as if a check of its memory were missing. */
@Isolated("a fuzz run watches the heap of the process")
final class FuzzFaultyDeviceTest {
  private static final int DATAGRAMS = 95_000;

  /** What a device would get wrong. */
  private enum DeviceDefect {
    /** It does not see where a region ends. */
    NO_UPPER_BOUND {
      @Override
      MemoryRegion wrong(
          ProtectionDomain pd,
          ByteBuffer memory,
          RegionFactory.RegionPart place,
          Set<AccessFlag> all) {
        return pd.regMr(memory.slice(place.offset(), place.length() + 1), all);
      }
    },
    /** It does not see where a region begins. */
    NO_LOWER_BOUND {
      @Override
      MemoryRegion wrong(
          ProtectionDomain pd,
          ByteBuffer memory,
          RegionFactory.RegionPart place,
          Set<AccessFlag> all) {
        return pd.regMr(memory.slice(place.offset() - 8, place.length() + 8), all);
      }
    },
    /** It takes every right for granted. */
    NO_RIGHTS {
      @Override
      MemoryRegion wrong(
          ProtectionDomain pd,
          ByteBuffer memory,
          RegionFactory.RegionPart place,
          Set<AccessFlag> all) {
        Set<AccessFlag> more = EnumSet.of(AccessFlag.LOCAL_WRITE);
        more.addAll(EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ));
        return pd.regMr(memory.slice(place.offset(), place.length()), more);
      }
    };

    abstract MemoryRegion wrong(
        ProtectionDomain pd,
        ByteBuffer memory,
        RegionFactory.RegionPart place,
        Set<AccessFlag> access);

    RegionFactory of(String name) {
      return (pd, memory, place, access) ->
          place.name().equals(name)
              ? wrong(pd, memory, place, access)
              : RegionFactory.FAITHFUL.register(pd, memory, place, access);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NO_UPPER_BOUND | open     | memory
          NO_LOWER_BOUND | open     | memory
          NO_UPPER_BOUND | readable | memory left the device
          NO_UPPER_BOUND | counters | memory was written
          NO_RIGHTS      | secret   | memory
          NO_RIGHTS      | outbox   | memory was written
          """)
  void everySabotageIsFound(DeviceDefect sabotage, String area, String complaint) {
    List<Finding> findings = Fuzzer.run(DATAGRAMS, 1, sabotage.of(area), sofar -> {}).findings();

    assertThat(findings).hasSize(1);
    assertThat(findings.get(0).what()).startsWith(complaint);
  }

  @Test
  void aFindingIsFoundAgain() {
    RegionFactory sabotage = DeviceDefect.NO_RIGHTS.of("outbox");
    Finding finding = Fuzzer.run(DATAGRAMS, 1, sabotage, sofar -> {}).findings().get(0);

    assertThat(finding.replay())
        .isEqualTo("queuepair fuzz --datagrams " + (finding.index() + 1) + " --seed 1");
    assertThat(Fuzzer.run(finding.index() + 1, 1, sabotage, sofar -> {}).findings())
        .containsExactly(finding);
    assertThat(finding.datagrams()).isNotEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Every cell of the table, also those that no call can reach, such as SQE of a connection. */
final class TransitionTableTest {
  static final List<QpType> TYPES = TransitionRule.TYPES;

  private static void assertSame(
      TransitionTable table, List<TransitionRule> expected, QpType type) {
    for (QpState from : QpState.values()) {
      for (QpState to : QpState.values()) {
        TransitionRule rule =
            expected.stream()
                .filter(each -> each.type() == type && each.from() == from && each.to() == to)
                .findFirst()
                .orElse(null);
        Transition row = table.find(type, from, to).orElse(null);
        TransitionRule actual =
            row == null
                ? null
                : new TransitionRule(
                    row.type(), row.from(), row.to(), row.required(), row.optional());
        assertThat(actual).as(type + " " + from + " -> " + to).isEqualTo(rule);
      }
    }
  }

  @ParameterizedTest
  @FieldSource("TYPES")
  void theTableOfLinuxIsThatOfItsSource(QpType type) {
    assertSame(TransitionTable.linux(), TransitionRule.OF_LINUX, type);
  }

  @ParameterizedTest
  @FieldSource("TYPES")
  void theDocumentsAddErrorFromAnyStateAndCapacities(QpType type) {
    assertSame(TransitionTable.documented(), TransitionRule.OF_DOCUMENTS, type);
  }

  @Test
  void hasNoRowForOtherTypes() {
    assertThat(TransitionTable.types()).containsExactlyElementsOf(TYPES);
    assertThat(TransitionTable.linux().rows()).hasSameSizeAs(TransitionRule.OF_LINUX);
    assertThat(TransitionTable.documented().rows()).hasSameSizeAs(TransitionRule.OF_DOCUMENTS);
  }

  @Test
  void theProfileSaysWhichTableCounts() {
    assertThat(DeviceProfile.standard().transitions()).isSameAs(TransitionTable.documented());
    assertThat(DeviceProfile.softRoce().transitions()).isSameAs(TransitionTable.linux());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each constant that programs meet has one line. */
final class GlossaryTest {
  /** The names in the first column, of lines that say something in the second. */
  private static Stream<String> names(String prefix) {
    return SourceTree.lines(SourceTree.root().resolve("docs/glossary.md")).stream()
        .filter(line -> line.startsWith("| `" + prefix))
        .map(line -> line.split("\\|", -1))
        .filter(cells -> !cells[2].isBlank())
        .map(cells -> cells[1].strip().replace("`", ""));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        QpState.class,
        WcStatus.class,
        EventType.class,
        WcOpcode.class,
        WrOpcode.class,
        QpType.class,
        MigState.class
      })
  void everyConstantHasOneLine(Class<?> type) {
    Stream<String> constants =
        Arrays.stream(type.getEnumConstants()).map(one -> type.getSimpleName() + "." + one);

    assertThat(names(type.getSimpleName() + "."))
        .containsExactlyInAnyOrderElementsOf(constants.toList());
  }
}

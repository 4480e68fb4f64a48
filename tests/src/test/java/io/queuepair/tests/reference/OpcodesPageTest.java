// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pages about opcodes and headers say what the tables of the device say. */
final class OpcodesPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/opcodes.md", OpcodesPageTest.class);

  private static List<String[]> rowsOfHeaders() {
    return SourceTree.lines(SourceTree.root().resolve("docs/reference/headers.md")).stream()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.replace("`", "").split("\\s*\\|\\s*", -1))
        .toList();
  }

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(OpcodesPage.of(PAGE.command()));
  }

  @Test
  void headersHaveTheSizeOfTheDevice() {
    Map<String, Integer> bytes = new LinkedHashMap<>();
    Map<String, Integer> bits = new LinkedHashMap<>();
    for (String[] row : rowsOfHeaders()) {
      if (row.length == 5) {
        bytes.put(row[1], Integer.valueOf(row[2]));
      } else {
        bits.merge(row[1], Integer.valueOf(row[3]), Integer::sum);
      }
    }

    assertThat(bytes.remove("BTH")).isEqualTo(12);
    assertThat(bits.remove("BTH")).isEqualTo(12 * Byte.SIZE);
    assertThat(bytes.keySet())
        .containsExactlyElementsOf(Arrays.stream(HeaderKind.values()).map(Enum::name).toList());
    for (HeaderKind kind : HeaderKind.values()) {
      assertThat(bytes.get(kind.name())).as(kind.name()).isEqualTo(kind.bytes());
      assertThat(bits.get(kind.name())).as(kind.name()).isEqualTo(kind.bytes() * Byte.SIZE);
    }
  }
}

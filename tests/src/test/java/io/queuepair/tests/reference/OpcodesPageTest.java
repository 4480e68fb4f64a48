// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.HeaderKind;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.PayloadRule;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
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

  /** The page that lists the opcodes of packets: the table by which they are coded. */
  private static final class OpcodesPage {
    private static final String HEAD =
        """
        # Opcodes

        Generated from the table of the device by `COMMAND`; do not edit.

        What each opcode of the base transport header stands for: the first byte of a packet, the
        [headers](headers.md) that follow the BTH, how many bytes stand before the data, and how \
        much
        data there may be.

        | opcode | byte | service | operation | place in the message | role | headers \
        | bytes before the data | data |
        |---|---|---|---|---|---|---|---|---|
        """;

    private OpcodesPage() {}

    static String of(String command) {
      List<String> rows = new ArrayList<>();
      for (Opcode opcode : Opcode.values()) {
        rows.add(row(opcode));
      }
      return HEAD.replace("COMMAND", command) + String.join("\n", rows) + "\n";
    }

    private static String row(Opcode opcode) {
      List<String> cells =
          List.of(
              "`" + opcode + "`",
              String.format(Locale.ROOT, "0x%02x", opcode.code()),
              opcode.service().toString(),
              opcode.operation().toString(),
              opcode.position().toString(),
              role(opcode),
              headers(opcode),
              String.valueOf(opcode.headerBytes()),
              data(opcode.payloadRule()));
      return "| " + String.join(" | ", cells) + " |";
    }

    private static String role(Opcode opcode) {
      if (opcode.isResponse()) {
        return "response";
      }
      return opcode.isRequest() ? "request" : "neither";
    }

    private static String headers(Opcode opcode) {
      String names =
          opcode.headers().stream()
              .map(HeaderKind::toString)
              .map(name -> "`" + name + "`")
              .collect(Collectors.joining(", "));
      return names.isEmpty() ? "-" : names;
    }

    private static String data(PayloadRule rule) {
      return switch (rule) {
        case NONE -> "none";
        case EXACTLY_MTU -> "exactly the path MTU";
        case UP_TO_MTU_NOT_EMPTY -> "1 byte to the path MTU";
        case UP_TO_MTU -> "0 bytes to the path MTU";
        case EIGHT -> "8 bytes";
      };
    }
  }
}

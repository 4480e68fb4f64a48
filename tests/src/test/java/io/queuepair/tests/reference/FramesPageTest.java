// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.tests.support.SourceTree;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page of frames has the messages of the connection manager as the device has them. */
final class FramesPageTest {
  private static final Pattern ROW =
      Pattern.compile(
          "\\| `(\\w+)` \\| (\\d+)(?:, bits? (\\d))?[^|]* \\| (\\d+) \\| ([^|]+) \\| [^|]+ \\|");
  private static final Pattern PART = Pattern.compile("\\| `(\\w+)` \\| (\\d+) \\| [^|]+ \\|$");

  private static List<MatchResult> rows(Pattern pattern, String part) {
    return SourceTree.lines(SourceTree.root().resolve("docs/reference/frames.md")).stream()
        .flatMap(line -> pattern.matcher(line).results())
        .filter(row -> row.group(1).equals(part))
        .toList();
  }

  private static String text(int firstByte, int firstBit, String bits, String name) {
    return firstByte + "." + firstBit + " " + bits + " " + name;
  }

  private static int firstBit(MatchResult row) {
    return row.group(3) == null ? 0 : 7 - Integer.parseInt(row.group(3));
  }

  private static void assertFields(String part, CmKind kind) {
    Stream<String> fields =
        CmField.of(kind).stream()
            .filter(field -> !field.label().equals("private_data"))
            .map(
                field ->
                    text(
                        field.firstByte(),
                        field.firstBit(),
                        String.valueOf(field.bits()),
                        field.label().replace('_', ' ')));

    assertThat(rows(ROW, part).stream().filter(row -> !row.group(5).equals("reserved")))
        .extracting(
            row -> text(Integer.parseInt(row.group(2)), firstBit(row), row.group(4), row.group(5)))
        .containsExactlyElementsOf(fields.toList());
  }

  @Test
  void theHeaderOfAManagementDatagramIsThatOfTheDevice() {
    assertFields("MAD", null);
  }

  @ParameterizedTest
  @CsvSource({"REQ", "REP", "RTU", "DREQ", "DREP", "REJ", "MRA", "SIDR_REQ", "SIDR_REP"})
  void theFieldsOfAMessageAreThoseOfTheDevice(CmKind kind) {
    assertFields(kind.name(), kind);
  }

  @ParameterizedTest
  @CsvSource({
    "Ethernet",
    "IPv4",
    "IPv6",
    "UDP",
    "MAD",
    "REQ",
    "REP",
    "RTU",
    "DREQ",
    "DREP",
    "REJ",
    "MRA",
    "SIDR_REQ",
    "SIDR_REP",
    "CMA",
  })
  void theFieldsOfAPartFillIt(String part) {
    int bit = 0;
    List<String> gaps = new ArrayList<>();
    for (MatchResult row : rows(ROW, part)) {
      if (Integer.parseInt(row.group(2)) * 8 + firstBit(row) != bit) {
        gaps.add("before " + row.group(5));
      }
      bit += Integer.parseInt(row.group(4));
    }

    assertThat(gaps).isEmpty();
    assertThat(rows(PART, part))
        .singleElement()
        .extracting(row -> Integer.parseInt(row.group(2)) * 8)
        .isEqualTo(bit);
  }
}

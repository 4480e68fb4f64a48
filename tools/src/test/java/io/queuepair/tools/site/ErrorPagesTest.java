// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.RnrTimer;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The reference that begins with the error: each has its page with causes and sources. */
@Execution(ExecutionMode.CONCURRENT)
final class ErrorPagesTest {
  private static final Pattern CELL = Pattern.compile("<td>([^<]*)</td>\n<td>([^<]*)</td>");

  @Test
  void everyErrorSaysWhyAndNamesItsSources() {
    assertThat(MadeSite.FILES.entrySet())
        .filteredOn(
            file -> file.getKey().matches("(statuses|events|naks|rejects|logs)/(?!index).*html"))
        .hasSizeGreaterThan(100)
        .allSatisfy(
            file ->
                assertThat(file.getValue())
                    .as(file.getKey())
                    .contains("<p>Sources: ")
                    .doesNotContain(">null"));
  }

  @Test
  void everyRejectReasonHasItsPage() {
    assertThat(
            MadeSite.FILES.keySet().stream()
                .filter(path -> path.startsWith("rejects/rej-"))
                .map(path -> Integer.valueOf(path.replaceAll("\\D+(\\d+).*", "$1"))))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RejectReason.values()).map(RejectReason::code).toList());
  }

  /** The cells of the tables of a page, in pairs, by the number that a pair begins with. */
  private static Map<Integer, String> pairs(String path) {
    Map<Integer, String> pairs = new TreeMap<>();
    CELL.matcher(MadeSite.FILES.get(path))
        .results()
        .forEach(cell -> pairs.put(Integer.valueOf(cell.group(1)), cell.group(2)));
    return pairs;
  }

  @Test
  void theTableOfRnrTimersHasAllCodes() {
    Map<Integer, String> table = pairs("naks/rnr-nak.html");

    assertThat(table).hasSize(32);
    table.forEach(
        (code, millis) ->
            assertThat(millis)
                .isEqualTo(String.format(Locale.ROOT, "%.2f", RnrTimer.nanos(code) / 1e6)));
  }

  @Test
  void theTableOfCreditsHasAllCodes() {
    Map<Integer, String> table = pairs("naks/ack-and-credits.html");

    assertThat(table.remove(Aeth.UNLIMITED_CREDITS)).isEqualTo("not said");
    assertThat(table).hasSize(31);
    table.forEach(
        (code, receives) ->
            assertThat(receives)
                .isEqualTo(String.format(Locale.ROOT, "%,d", Aeth.receiveWqes(code))));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The page of the programs that run unmodified, which {@code tests/native/run --page} writes. The
 * script itself fails for a row that passes and is not there.
 */
final class NativeProgramsPageTest {
  private static final String PAGE = "docs/reference/native-programs.md";

  /** Programs that the script starts at both ends, in two roles, or alone. */
  private static final Pattern STARTED =
      Pattern.compile(" +(?:repeats_nothing )?(?:both -p|cm|run_alone) (\\w+) .*");

  private static final Pattern GROUP = Pattern.compile("## (\\w+)");

  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\|" + " (|yes) \\|".repeat(5));

  /** Of services that repeat nothing, or that are of no use without their last packet. */
  private static final Pattern NOT_FOR_LOSS =
      Pattern.compile(".*(uc_pingpong|ud_pingpong|-c U[CD]|udaddy|mckey|dgram|leave\\.py).*");

  /** The kinds of programs that have each mode, as the script lists them. */
  private static final List<String> PROGRAMS = programs();

  private static final List<Row> ROWS = rows();

  private static List<String> programs() {
    return lines("tests/native/run").stream()
        .filter(line -> line.startsWith("programs=("))
        .flatMap(line -> Pattern.compile("\\w+").matcher(line).results())
        .skip(1)
        .map(word -> word.group())
        .toList();
  }

  private static List<String> lines(String file) {
    return SourceTree.lines(SourceTree.root().resolve(file));
  }

  /** A row of the page that is of such programs. */
  private record Row(String name, String lossy, String captured, String two, String twoLossy) {}

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    String group = "";
    for (String line : lines(PAGE)) {
      Matcher heading = GROUP.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        group = heading.group(1);
      } else if (row.matches() && PROGRAMS.contains(group)) {
        rows.add(new Row(row.group(1), row.group(3), row.group(4), row.group(5), row.group(6)));
      }
    }
    return rows;
  }

  @Test
  void everyProgramThatIsStartedIsThere() {
    List<String> started =
        lines("tests/native/run").stream()
            .map(STARTED::matcher)
            .filter(Matcher::matches)
            .map(matcher -> matcher.group(1))
            .toList();

    assertThat(started).hasSizeGreaterThan(20);
    assertThat(started)
        .allSatisfy(program -> assertThat(ROWS).anyMatch(row -> row.name().startsWith(program)));
  }

  @Test
  void everyProgramIsCaptured() {
    assertThat(ROWS).isNotEmpty().allMatch(row -> row.captured().equals("yes"));
  }

  /** Ranks of MPI that are on one host have one device. */
  @Test
  void everyProgramButMpiIsOnTwoServices() {
    assertThat(ROWS)
        .allMatch(row -> row.two().equals("yes") || row.name().startsWith("mpirun"))
        .filteredOn(row -> row.two().equals("yes"))
        .allMatch(row -> row.twoLossy().equals(row.lossy()));
  }

  @Test
  void everyProgramThatRepeatsWhatIsLostLosesPackets() {
    assertThat(ROWS)
        .allMatch(row -> row.lossy().equals("yes") || NOT_FOR_LOSS.matcher(row.name()).matches());
  }
}

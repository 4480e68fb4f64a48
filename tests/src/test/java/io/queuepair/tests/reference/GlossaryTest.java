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
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each public type of an exported package, and each constant that programs meet, has one line. */
final class GlossaryTest {
  private static final Path ROOT = SourceTree.root();
  private static final List<String> LINES = SourceTree.lines(ROOT.resolve("docs/glossary.md"));
  private static final Pattern EXPORT = Pattern.compile("\\s*exports ([\\w.]+);");
  private static final List<String> MODULES =
      List.of(
          "verbs-api",
          "emulator-core",
          "transport-udp",
          "junit5",
          "bindings/native",
          "bindings/native-provider");

  private static final String HEADING = "## Types of `";

  /** The names in the first column, of lines that say something in the second. */
  private static List<String> names(List<String> lines, String prefix) {
    return lines.stream()
        .filter(line -> line.startsWith("| `" + prefix))
        .map(line -> line.split("\\|", -1))
        .filter(cells -> !cells[2].isBlank())
        .map(cells -> cells[1].strip().replace("`", ""))
        .toList();
  }

  /** The lines of the section on one package; none if there is no such section. */
  private static List<String> section(String exported) {
    return LINES.stream()
        .dropWhile(line -> !line.equals(HEADING + exported + "`"))
        .skip(1)
        .takeWhile(line -> !line.startsWith("## "))
        .toList();
  }

  private static Map<String, Path> exportedPackages() {
    Map<String, Path> exported = new TreeMap<>();
    for (String module : MODULES) {
      Path sources = ROOT.resolve(module).resolve("src/main/java");
      for (String line : SourceTree.lines(sources.resolve("module-info.java"))) {
        Matcher export = EXPORT.matcher(line);
        if (export.matches()) {
          exported.put(export.group(1), sources.resolve(export.group(1).replace('.', '/')));
        }
      }
    }
    return exported;
  }

  private static List<String> publicTypesOf(Path sources) {
    return SourceTree.files(sources, ".java").stream()
        .filter(file -> file.getParent().equals(sources))
        .filter(file -> SourceTree.lines(file).stream().anyMatch(l -> l.startsWith("public ")))
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .toList();
  }

  @Test
  void everyPublicTypeOfAnExportedPackageHasOneLine() {
    Map<String, Path> exported = exportedPackages();

    assertThat(exported).containsKeys("io.queuepair.verbs", "io.queuepair.emulator");
    exported.forEach(
        (name, sources) ->
            assertThat(names(section(name), ""))
                .as("section of docs/glossary.md: %s%s`", HEADING, name)
                .containsExactlyElementsOf(publicTypesOf(sources)));
    assertThat(LINES.stream().filter(line -> line.startsWith(HEADING)))
        .as("sections of docs/glossary.md on packages")
        .hasSameSizeAs(exported.keySet());
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

    assertThat(names(LINES, type.getSimpleName() + "."))
        .containsExactlyInAnyOrderElementsOf(constants.toList());
  }
}

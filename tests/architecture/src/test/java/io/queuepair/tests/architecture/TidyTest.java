// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The repository is tidy: what no compiler looks at. */
final class TidyTest {
  /** Spelt apart, or this file would be its own finding. */
  private static final Pattern LEFTOVER = Pattern.compile("\\b(TO" + "DO|FIX" + "ME)\\b");

  /** Sleeping, access to what is private, and the log of the JDK. */
  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "\\b(Thread|TimeUnit|[A-Z]*SECONDS|MINUTES|[uU]nit)\\s*(\\.|::)\\s*sleep\\b"
              + "|\\b(try)?[sS]etAccessible\\b|java\\.util\\.logging");

  private static final List<String> FORBIDDEN_LINES =
      List.of(
          "Thread.sleep(1);",
          "import static java.lang.Thread.sleep;",
          "TimeUnit.SECONDS.sleep(1);",
          "forEach(Thread::sleep)",
          "field.setAccessible(true);",
          "field.trySetAccessible();",
          "import java.util.logging.Logger;");

  private static final List<String> ALLOWED_LINES =
      List.of("emulator.sleep(Duration.ZERO);", "condition.sleep(nanos)");

  private static final Pattern LINK = Pattern.compile("\\{@link(?:plain)?[\\s*]+([\\w.]+)");

  /** The package and the outermost name of a type. */
  private static final Pattern QUALIFIED = Pattern.compile("([a-z0-9.]+)\\.([A-Z]\\w*)(\\..+)?");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

  private static final Path ROOT = SourceTree.root();

  @Test
  void javaFilesHoldNoTabs() {
    assertThat(findings(".java", line -> line.contains("\t")))
        .as("because a tab is as wide as each reader's editor says")
        .isEmpty();
  }

  @Test
  void nothingIsLeftForLater() {
    List<String> findings = new ArrayList<>();
    for (String ending : List.of(".java", ".md", ".xml", ".txt")) {
      findings.addAll(findings(ending, line -> LEFTOVER.matcher(line).find()));
    }

    assertThat(findings).as("because what is left to do is an issue, not a comment").isEmpty();
  }

  @Test
  void noTestWaitsForTimeToPassOrReachesIntoAClass() {
    Predicate<String> isForbidden = FORBIDDEN.asPredicate();

    assertThat(FORBIDDEN_LINES).allMatch(isForbidden);
    assertThat(ALLOWED_LINES).noneMatch(isForbidden);
    assertThat(findings(".java", isForbidden))
        .filteredOn(place -> place.contains("src/") && !place.contains("TidyTest.java"))
        .as(
            "because a sleep is too short on a busy machine and too long on any other, a test that"
                + " needs a private field is a missing query, and libraries log through SLF4J")
        .isEmpty();
  }

  @Test
  void everyDocumentHasOneTitle() {
    List<String> wrong = new ArrayList<>();
    for (Path document : SourceTree.files(ROOT, ".md")) {
      long titles = titles(SourceTree.lines(document));
      if (titles != 1) {
        wrong.add(ROOT.relativize(document) + " has " + titles);
      }
    }

    assertThat(wrong).as("because a document has one subject: '# Title', once").isEmpty();
  }

  @Test
  void everyPackageSaysWhatLivesInIt() {
    List<Path> silent = new ArrayList<>();
    for (String module : SourceTree.MAIN_MODULES) {
      for (Path directory : packages(ROOT.resolve(module).resolve("src/main/java"))) {
        if (!Files.exists(directory.resolve("package-info.java"))) {
          silent.add(ROOT.relativize(directory));
        }
      }
    }

    assertThat(silent)
        .as("because package-info.java says what lives here and what must not")
        .isEmpty();
  }

  @Test
  void commentsOfAllExportedPackagesAreChecked() {
    Pattern exported = Pattern.compile("exports ([\\w.]+);");
    Pattern checked = Pattern.compile("<doclint.packages>(.+)</doclint.packages>");
    int modules = 0;
    for (Path declaration : SourceTree.files(ROOT, "module-info.java")) {
      Path module = declaration.resolve("../../../..").normalize();
      // Others are programs of tests.
      if (module.getParent().equals(ROOT)) {
        modules++;
        assertThat(found(checked, module.resolve("pom.xml")))
            .as("doclint.packages of " + ROOT.relativize(module))
            .containsExactly(String.join(",", found(exported, declaration)));
      }
    }

    assertThat(modules).isPositive();
  }

  /** Matches of a group of the pattern in the lines of a file. */
  private static List<String> found(Pattern pattern, Path file) {
    return SourceTree.lines(file).stream()
        .flatMap(line -> pattern.matcher(line).results())
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void noTwoTypesShareASimpleName() {
    Map<String, List<Path>> byName = new TreeMap<>();
    for (Path file : SourceTree.files(ROOT, ".java")) {
      Path inside = ROOT.relativize(file);
      // Programs of other people, each on its own.
      if (!inside.startsWith("tests/modules") && !file.toString().endsWith("-info.java")) {
        String name = file.getFileName().toString();
        byName.computeIfAbsent(name, n -> new ArrayList<>()).add(inside);
      }
    }

    assertThat(byName).hasSizeGreaterThan(1_000);
    assertThat(byName.values())
        .as("because a name that stands for two things has to be looked up each time")
        .allMatch(files -> files.size() == 1);
  }

  private static List<String> findings(String ending, Predicate<String> isUntidy) {
    List<String> findings = new ArrayList<>();
    for (Path file : SourceTree.files(ROOT, ending)) {
      List<String> lines = SourceTree.lines(file);
      for (int i = 0; i < lines.size(); i++) {
        if (isUntidy.test(lines.get(i))) {
          findings.add(ROOT.relativize(file) + ":" + (i + 1));
        }
      }
    }
    return findings;
  }

  /** Counts first-level headings; a comment in a fenced block of shell is none. */
  private static long titles(List<String> lines) {
    long titles = 0;
    boolean isFenced = false;
    for (String line : lines) {
      if (line.stripLeading().startsWith("```")) {
        isFenced = !isFenced;
      } else if (!isFenced && line.startsWith("# ")) {
        titles++;
      }
    }
    return titles;
  }

  private static Set<Path> packages(Path sources) {
    Set<Path> packages = new TreeSet<>();
    for (Path file : SourceTree.files(sources, ".java")) {
      if (!file.getParent().equals(sources)) {
        packages.add(file.getParent());
      }
    }
    return packages;
  }

  /** Javadoc checks this of exported packages only. */
  @Test
  void javadocLinksNameTypesThatExist() {
    List<Path> sources = SourceTree.files(ROOT, ".java");
    Map<String, Set<String>> types = new TreeMap<>();
    for (Path source : sources) {
      String name = source.getFileName().toString().replace(".java", "");
      types.computeIfAbsent(packageOf(text(source)), first -> new TreeSet<>()).add(name);
    }

    List<String> stale = new ArrayList<>();
    for (Path source : sources) {
      String text = text(source);
      LINK.matcher(text)
          .results()
          .map(link -> link.group(1))
          .filter(target -> !exists(target, text, types))
          .forEach(target -> stale.add(source + ": " + target));
    }
    assertThat(stale).isEmpty();
  }

  private static boolean exists(String target, String text, Map<String, Set<String>> types) {
    if (target.startsWith("io.queuepair.")) {
      Matcher type = QUALIFIED.matcher(target);
      return !type.matches() || types.getOrDefault(type.group(1), Set.of()).contains(type.group(2));
    }
    if (!Character.isUpperCase(target.charAt(0))) {
      return true;
    }
    String type = target.replaceFirst("\\..*", "");
    return types.get(packageOf(text)).contains(type)
        || Pattern.compile("(?m)^import [\\w. ]+\\." + type + ";").matcher(text).find()
        || Pattern.compile("\\b(class|record|enum|interface) " + type + "\\b").matcher(text).find()
        || Pattern.compile("<" + type + "\\b").matcher(text).find()
        || isOfTheLanguage(type);
  }

  private static boolean isOfTheLanguage(String type) {
    return ClassLoader.getSystemResource("java/lang/" + type + ".class") != null;
  }

  private static String packageOf(String text) {
    return PACKAGE.matcher(text).results().map(found -> found.group(1)).findFirst().orElse("");
  }

  private static String text(Path file) {
    return String.join("\n", SourceTree.lines(file));
  }
}

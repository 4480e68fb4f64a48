// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.tests.support.SourceTree;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of files, lines, methods and parameters, and type names that say something. */
final class SizesTest {
  private static final int LINES_OF_A_FILE = 800;
  private static final int LINES_OF_A_METHOD = 70;
  private static final int COLUMNS = 100;
  private static final int PARAMETERS = 7;
  private static final int METHODS_OF_A_NETWORK = 12;

  /** Where a line cannot be broken. */
  private static final Pattern LONG_LINE =
      Pattern.compile("^(package|import) |https?://|\\{@link|href");

  /** Two names are those of C: ibv_mw_bind_info, ibv_wc_tm_info. */
  private static final Pattern NAME_OF_C = Pattern.compile("MwBindInfo|WcTmInfo");

  private static final Pattern EMPTY_NAME =
      Pattern.compile(
          "(Util|Utils|Helper|Manager|Impl|Base|Data|Info|Common|Misc)(Test)?$|^[^A-Z]|_");

  private static final Path ROOT = SourceTree.root();
  private static final Pattern SOURCES = Pattern.compile(".*/src/[^/]+/java/.*");

  @Test
  void filesAndLinesAreShort() {
    List<String> findings = new ArrayList<>();
    for (Path file : sources()) {
      List<String> lines = SourceTree.lines(file);
      if (lines.size() > LINES_OF_A_FILE) {
        findings.add(ROOT.relativize(file) + ": " + lines.size() + " lines");
      }
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).length() > COLUMNS && !LONG_LINE.matcher(lines.get(i)).find()) {
          findings.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).length());
        }
      }
    }

    assertThat(findings).isEmpty();
  }

  @Test
  void methodsAreShortAndTypeNamesSaySomething() throws IOException {
    List<Path> files = sources();

    assertThat(files).hasSizeGreaterThan(1_000);
    assertThat(findings(files.stream().map(SizesTest::source).toList())).isEmpty();
  }

  /** Each further network implements them. */
  @ParameterizedTest
  @ValueSource(classes = {Link.class, Scheduler.class})
  void interfacesOfNetworksAreSmall(Class<?> type) {
    List<Method> methods =
        Arrays.stream(type.getDeclaredMethods()).filter(one -> !one.isSynthetic()).toList();

    assertThat(methods).hasSizeLessThanOrEqualTo(METHODS_OF_A_NETWORK);
  }

  @Test
  void seesEachKindOfFinding() throws IOException {
    String source =
        """
        class PacketUtil {
          PacketUtil(int a, int b, int c, int d, int e, int f, int g, int h) {}

          @Override
          void inherited(int a, int b, int c, int d, int e, int f, int g, int h) {}

          record Header(int a, int b, int c, int d, int e, int f, int g, int h) {
            Header {}
          }

          interface lower {}

          void longest() {%s}

          void tooLong() {%s}
        }
        """
            .formatted("\n".repeat(69), "\n".repeat(70));

    assertThat(findings(List.of(new Source("PacketUtil.java", source))))
        .containsExactly(
            "PacketUtil.java: the name PacketUtil says nothing",
            "PacketUtil.java: <init> has 8 parameters",
            "PacketUtil.java: the name lower says nothing",
            "PacketUtil.java: tooLong has 71 lines");
  }

  private static List<Path> sources() {
    return SourceTree.files(ROOT, ".java").stream()
        .filter(file -> SOURCES.matcher(file.toString()).matches())
        .toList();
  }

  private static Source source(Path file) {
    return new Source(ROOT.relativize(file).toString(), String.join("\n", SourceTree.lines(file)));
  }

  private static List<String> findings(List<Source> sources) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> findings = new ArrayList<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      // Syntax is the compiler's: what this JDK is too old for is looked at by a newer one.
      JavacTask task =
          (JavacTask) compiler.getTask(null, files, problem -> {}, List.of(), null, sources);
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new Limits(unit, positions, findings), null);
      }
    }
    return findings;
  }

  /** The text of a file, for the parser of javac. */
  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(Path.of("/").resolve(name).toUri(), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  /** Collects what is too long, or named badly, in one file. */
  private static final class Limits extends TreeScanner<Void, Void> {
    private final CompilationUnitTree unit;
    private final SourcePositions positions;
    private final List<String> findings;

    Limits(CompilationUnitTree unit, SourcePositions positions, List<String> findings) {
      this.unit = unit;
      this.positions = positions;
      this.findings = findings;
    }

    @Override
    public Void visitClass(ClassTree type, Void unused) {
      String name = type.getSimpleName().toString();
      boolean isAnonymous = name.isEmpty();
      if (!isAnonymous && EMPTY_NAME.matcher(name).find() && !NAME_OF_C.matcher(name).matches()) {
        report("the name " + name + " says nothing");
      }
      return super.visitClass(type, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void unused) {
      int parameters = method.getParameters().size();
      if (parameters > PARAMETERS && !isInherited(method) && !isCompact(method)) {
        report(method.getName() + " has " + parameters + " parameters");
      }
      BlockTree body = method.getBody();
      if (body != null && lines(body) > LINES_OF_A_METHOD) {
        report(method.getName() + " has " + lines(body) + " lines");
      }
      return super.visitMethod(method, null);
    }

    private static boolean isInherited(MethodTree method) {
      return method.getModifiers().getAnnotations().stream()
          .anyMatch(annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    /** Whether this is the constructor of a record that repeats no component. */
    private boolean isCompact(MethodTree method) {
      Tree parameter = method.getParameters().get(0);
      return positions.getStartPosition(unit, parameter) < positions.getStartPosition(unit, method);
    }

    /** The lines of a tree, with those of its braces. */
    private long lines(Tree tree) {
      long first = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, tree));
      long last = unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree));
      return last - first + 1;
    }

    private void report(String finding) {
      String file = Path.of("/").relativize(Path.of(unit.getSourceFile().toUri())).toString();
      findings.add(file + ": " + finding);
    }
  }
}

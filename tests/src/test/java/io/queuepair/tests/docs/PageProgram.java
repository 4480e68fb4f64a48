// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.commons.support.AnnotationSupport.findAnnotatedMethods;
import static org.junit.platform.commons.support.HierarchyTraversalMode.TOP_DOWN;

import io.queuepair.tests.support.SourceTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.testkit.engine.EngineTestKit;

/** A program on a page of documentation: the block of Java that has its class. */
final class PageProgram {
  /** How many tests the README has. */
  private static final long TESTS = 2;

  private final Path directory;
  private final String className;

  /**
   * Takes the program from its page.
   *
   * @param page file, from the root of the source tree
   * @param className the class with {@code main}, or with tests
   * @param directory where it is compiled
   */
  PageProgram(String page, String className, Path directory) throws IOException {
    this.directory = directory;
    this.className = className;
    String program = blockOf(className, Files.readString(SourceTree.root().resolve(page)));
    Files.writeString(source(), program.replace("class " + className, "public class " + className));
  }

  private Path source() {
    return directory.resolve(className + ".java");
  }

  private static String blockOf(String className, String page) {
    int start =
        page.lastIndexOf("```java\n", page.indexOf("class " + className)) + "```java\n".length();
    return page.substring(start, page.indexOf("```", start));
  }

  /** Compiles it and runs its {@code main}; returns what it prints. */
  String run() throws Exception {
    return outputOf(
        program -> program.getMethod("main", String[].class).invoke(null, (Object) new String[0]));
  }

  /** Compiles it and runs each method with {@code @Test}; returns what they print. */
  String runTests() throws Exception {
    return outputOf(
        program -> {
          for (Method test : findAnnotatedMethods(program, Test.class, TOP_DOWN)) {
            ReflectionSupport.invokeMethod(test, ReflectionSupport.newInstance(program));
          }
        });
  }

  /** Compiles it and lets JUnit run its tests, with the extensions that they name. */
  void runByJUnit() throws Exception {
    outputOf(
        program ->
            EngineTestKit.engine("junit-jupiter")
                .selectors(DiscoverySelectors.selectClass(program))
                .configurationParameter("queuepair.reports", directory.toString())
                .execute()
                .testEvents()
                .assertStatistics(tests -> tests.succeeded(TESTS).failed(0)));
  }

  private String outputOf(ProgramRun run) throws Exception {
    compile();
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream console = System.out;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      run.of(loader.loadClass(className));
    } finally {
      System.setOut(console);
    }
    return output.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }

  private interface ProgramRun {
    void of(Class<?> program) throws ReflectiveOperationException;
  }

  private void compile() {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        compiler.run(null, messages, messages, "-d", directory.toString(), source().toString());
    assertThat(status).as(messages.toString(StandardCharsets.UTF_8)).isZero();
  }
}

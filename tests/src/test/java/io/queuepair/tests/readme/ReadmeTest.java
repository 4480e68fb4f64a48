package io.queuepair.tests.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.architecture.SourceTree;
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
import org.junit.jupiter.api.io.TempDir;

class ReadmeTest {
  @TempDir Path directory;

  @Test
  void itsProgramCompilesAndSendsHello() throws Exception {
    Path source = directory.resolve("Hello.java");
    Files.writeString(source, program().replace("class Hello", "public class Hello"));

    compile(source);
    String output = run("Hello");

    assertThat(output).isEqualTo("sent: SUCCESS\nreceived: 5 bytes\n");
  }

  /** The one block of Java in the README. */
  private static String program() throws IOException {
    String readme = Files.readString(SourceTree.root().resolve("README.md"));
    int start = readme.indexOf("```java\n") + "```java\n".length();
    return readme.substring(start, readme.indexOf("```", start));
  }

  private void compile(Path source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    int status =
        compiler.run(null, messages, messages, "-d", directory.toString(), source.toString());
    assertThat(status).as(messages.toString(StandardCharsets.UTF_8)).isZero();
  }

  private String run(String className) throws Exception {
    ByteArrayOutputStream output = new ByteArrayOutputStream();
    PrintStream console = System.out;
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
      Method main = loader.loadClass(className).getMethod("main", String[].class);
      main.invoke(null, (Object) new String[0]);
    } finally {
      System.setOut(console);
    }
    return output.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}

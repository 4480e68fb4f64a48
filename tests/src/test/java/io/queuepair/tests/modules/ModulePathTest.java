// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.modules;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.SourceTree;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A program with a module-info runs over UDP on the module path, with no option of its own. */
@Timeout(120)
@Tag("processes")
final class ModulePathTest {
  private static final Path PROGRAM = SourceTree.root().resolve("tests/modules/org.example.app");

  /** Modules that the program requires, and those that they require. */
  private static final Pattern MODULES =
      Pattern.compile(
          "/verbs-api/|/emulator-core/target/|/transport-udp/|queuepair-(verbs-api|transport-udp)"
              + "|queuepair-emulator-core-[0-9]|/netty-|/slf4j-api");

  @TempDir private Path classes;

  private static String modulePath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> MODULES.matcher(entry.replace(File.separatorChar, '/')).find())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private record Ended(int status, String output) {}

  private static Ended run(String tool, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @BeforeEach
  void compile() throws Exception {
    Ended compiler =
        run(
            "javac",
            "--module-path",
            modulePath(),
            "-d",
            classes.toString(),
            PROGRAM.resolve("module-info.java").toString(),
            PROGRAM.resolve("org/example/app/Hello.java").toString());

    assertThat(compiler.status()).as(compiler.output()).isZero();
  }

  private Ended runProgram(String transport) throws Exception {
    return run(
        "java",
        "-XX:TieredStopAtLevel=1",
        "--module-path",
        classes + File.pathSeparator + modulePath(),
        "--module",
        "org.example.app/org.example.app.Hello",
        transport);
  }

  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void itHasEpoll() throws Exception {
    Ended program = runProgram("EPOLL");

    assertThat(program.status()).as(program.output()).isZero();
    assertThat(program.output()).contains("sent over EPOLL: SUCCESS", "received: 5 bytes");
  }

  /** Without that module NIO sockets have no option IP_DONTFRAGMENT. */
  @Test
  void itHasTheModuleThatNioSocketsNeed() throws Exception {
    Ended program = runProgram("NIO");

    assertThat(program.status()).as(program.output()).isZero();
    assertThat(program.output()).contains("sent over NIO: SUCCESS", "jdk.net: true");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes with few file descriptors or little heap. */
@Timeout(120)
@Tag("processes")
final class LimitedResourcesTest {
  /** What a JVM needs with the class path of the tests, and some devices. */
  private static final int DESCRIPTORS = 200;

  private static String port() {
    return String.valueOf(FreePort.of(LimitedProgram.SUBNET + "1"));
  }

  /** Runs the program to its end. */
  private static List<String> run(String limit, String heap, String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", limit + "exec \"$0\" \"$@\""));
    command.addAll(List.of(System.getProperty("java.home") + "/bin/java", "-ea", heap));
    command.addAll(List.of("-XX:-UsePerfData", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-Dorg.slf4j.simpleLogger.defaultLogLevel=off"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(LimitedProgram.class.getName());
    command.addAll(List.of(args));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output.lines().toList();
  }

  @ParameterizedTest
  @EnumSource
  @EnabledOnOs(OS.LINUX)
  void aDeviceWithoutAFileDescriptorIsRefusedAndAllAreGivenBack(UdpOptions.Transport transport)
      throws Exception {
    String limit = "ulimit -n " + DESCRIPTORS + "; ";

    List<String> said = run(limit, "-Xmx64m", "descriptors", transport.name(), port());

    assertThat(said.get(1)).startsWith("refused: ").contains("Too many open files");
    assertThat(said.get(2)).isEqualTo("descriptors left open: 0");
  }

  @Test
  void messagesNeedLittleHeapInMemory() throws Exception {
    assertThat(run("", "-Xmx32m", "heap")).endsWith("messages: 1000");
  }

  @ParameterizedTest
  @EnumSource
  @EnabledOnOs(OS.LINUX)
  void messagesNeedLittleHeapOverUdp(UdpOptions.Transport transport) throws Exception {
    assertThat(run("", "-Xmx32m", "heap", transport.name(), port())).endsWith("messages: 1000");
  }
}

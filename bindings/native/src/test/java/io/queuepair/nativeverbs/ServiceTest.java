// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program in C that is attached to the service. */
@Tag("processes")
final class ServiceTest {
  private static Map<String, String> variables;
  private static CompiledProgram program;
  private static CompiledProgram requests;
  private static CompiledProgram attached;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    CompiledProgram.assumeCompiler();
    // It ends with this process.
    variables = ServiceProcess.attachedOrNew(ProgramEnvironment.standard());
    program = compiled("process.c", directory.resolve("process"));
    requests = compiled("requests.c", directory.resolve("requests"));
    attached = compiled("attached.c", directory.resolve("attached"));
  }

  private static CompiledProgram compiled(String name, Path directory) throws IOException {
    return CompiledProgram.of(name, Files.createDirectory(directory)).with(variables);
  }

  /**
   * Each case of the program checks itself, and says what it found if that is wrong. Those with
   * wild pointers are left out: as with hardware, they are faults of the program.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "devices",
        "write",
        "events",
        "own-segv-handler",
        "segv-handler-after-start",
        "small-stack",
        "many-threads",
        "exec",
        "dlopen",
        "exit-while-waiting",
        "closed-handle",
        "wrong-state",
        "newer-release",
        "buffers",
        "flush",
        "imports",
        "interface",
        "long-region",
        "all-addresses",
        "files",
        "errno-of-success"
      })
  void passesWhatPassesInItsOwnProcess(String name) throws IOException {
    assertPasses(program, name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad-wr", "inline-size", "all-signaled", "local-invalidate"})
  void readsTheFieldsOfRequests(String name) throws IOException {
    assertPasses(requests, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fork",
        "threads",
        "killed-peer",
        "unmapped",
        "protected",
        "dropped-rights",
        "closed-descriptors",
        "left-by-longjmp",
        "resized",
        "many-events",
        "sysfs",
        "netlink",
        "attributes",
        "copied",
        "idle-poll"
      })
  void isAsIndependentOfOthersAsOnHardware(String name) throws IOException {
    assertPasses(attached, name);
  }

  private static void assertPasses(CompiledProgram of, String name) throws IOException {
    CompiledProgram.Outcome outcome = of.run(name);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  @Test
  void hearsOfTheDeathOfTheService() throws IOException {
    Map<String, String> others =
        new HashMap<>(ServiceProcess.attachedOrNew(ProgramEnvironment.standard()));
    String log = others.get(Variables.LOG);
    others.put("SERVICE_PROCESS", Files.readString(Path.of(log).resolveSibling("pid")).strip());

    CompiledProgram.Outcome outcome = attached.with(others).run("dead-service");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .isEqualTo("queuepair: no device: the service has ended; log: " + log + "\n");
  }

  @Test
  void saysInALineThatTheServiceIsNotThere() throws IOException {
    Map<String, String> others = new HashMap<>(variables);
    others.put(Variables.SERVICE, "queuepair-none");

    CompiledProgram.Outcome outcome = program.with(others).run("devices");

    assertThat(outcome.output())
        .contains(
            "queuepair: no device: the service queuepair-none does not answer: Connection refused;"
                + " log: "
                + variables.get(Variables.LOG));
  }

  private static Map<String, String> explained() {
    return ServiceProcess.attachedOrNew(
        new ProgramEnvironment(List.of(), "standard", FaultPlan.none(), null, null, true, false));
  }

  @Test
  void saysToTheProgramWhyAVerbIsRefused() throws IOException {
    CompiledProgram.Outcome outcome = program.with(explained()).run("wrong-state");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("queuepair: ibv_modify_qp: EINVAL: ");
  }

  @Test
  void saysToTheProgramWhyWorkHasFailed() throws IOException {
    CompiledProgram.Outcome outcome = attached.with(explained()).run("unmapped");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("queuepair: work request ");
  }

  @Test
  void saysNothingUnlessAsked() throws IOException {
    CompiledProgram.Outcome outcome = program.run("wrong-state");

    assertThat(outcome.output()).doesNotContain("queuepair:");
  }

  @Test
  void changesFaultsWhileItRuns() {
    ServiceClient service = ServiceClient.of(explained());

    assertThat(service.ask("faults")).isEmpty();
    assertThat(service.ask("faults drop 1%")).isEqualTo("drop 1%");
    assertThat(service.ask("faults nonsense")).startsWith("refused: ");
    assertThat(service.ask("status").lines())
        .contains("profile: standard", "faults: drop 1%", "0 programs");
    assertThat(service.ask("faults ")).isEmpty();
    assertThat(service.ask("faults")).isEmpty();
  }
}

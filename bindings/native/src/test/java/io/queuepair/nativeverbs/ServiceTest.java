// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queuepair.emulator.faults.FaultPlan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program in C that is attached to the service. */
@Tag("processes")
final class ServiceTest {
  private static final int SKIPPED = 77;
  private static final int SIGNALED = 128;
  private static final int SIGSEGV = 11;
  private static final int SIGPIPE = 13;

  private static Map<String, String> variables;
  private static CompiledProgram program;
  private static CompiledProgram requests;
  private static CompiledProgram attached;
  private static CompiledProgram inherited;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    CompiledProgram.assumeCompiler();
    // It ends with this process.
    variables = ServiceProcess.attachedOrNew(ProgramEnvironment.standard());
    program = compiled("process.c", directory.resolve("process"));
    requests = compiled("requests.c", directory.resolve("requests"));
    attached = compiled("attached.c", directory.resolve("attached"));
    inherited = compiled("inherited.c", directory.resolve("inherited"));
  }

  private static CompiledProgram compiled(String name, Path directory) throws IOException {
    return CompiledProgram.of(name, Files.createDirectory(directory), variables);
  }

  /** Each case of the program checks itself, and says what it found if that is wrong. */
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
        "large-batch",
        "imports",
        "flow",
        "work-queues",
        "interface",
        "long-region",
        "all-addresses",
        "files",
        "errno-of-success",
        "cancelled",
        "closed-events"
      })
  void passes(String name) throws IOException {
    assertPasses(program, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"bad-wr", "inline-size", "all-signaled", "local-invalidate", "full-for-threads"})
  void readsTheFieldsOfRequests(String name) throws IOException {
    assertPasses(requests, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "threads",
        "more-threads",
        "killed-peer",
        "unmapped",
        "protected",
        "read-only-part",
        "dropped-rights",
        "closed-descriptors",
        "closed-before-open",
        "left-by-longjmp",
        "resized",
        "resized-while-polled",
        "many-events",
        "sysfs",
        "netlink",
        "attributes",
        "copied",
        "posted-before",
        "cloned",
        "idle-poll"
      })
  void isAsIndependentOfOthersAsOnHardware(String name) throws IOException {
    assertPasses(attached, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fork",
        "own-descriptor",
        "full-queue",
        "resized-by-all",
        "orphan",
        "import",
        "foreign",
        "orphaned-listener",
        "cancelled",
        "closed-in-calls",
        "names-of-host",
        "all-descriptors",
        "killed-in-calls"
      })
  void hasWhatItsDescriptorsAreOf(String name) throws IOException {
    assertPasses(inherited, name);
  }

  private static void assertPasses(CompiledProgram of, String name) throws IOException {
    CompiledProgram.Outcome outcome = of.run(name);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  /** A descriptor of the program stays open, so that only the end of the process tells. */
  @Test
  @Timeout(60)
  void forgetsAProgramWhoseChildHasItsDescriptors() throws IOException {
    long child = Long.parseLong(attached.run("raw-clone").output());
    ServiceClient service = ServiceClient.of(variables);

    while (!service.ask("status").endsWith("0 programs")) {
      Thread.onSpinWait();
    }

    assertThat(ProcessHandle.of(child)).hasValueSatisfying(ProcessHandle::destroyForcibly);
  }

  @Test
  void hearsOfTheDeathOfTheService() throws IOException {
    Map<String, String> others = mortal();

    CompiledProgram.Outcome outcome = attached.with(others).run("dead-service");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .isEqualTo(
            "queuepair: no device: the service has ended; log: "
                + others.get(Variables.LOG)
                + "\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dead-service-of-threads", "killed-service-of-threads"})
  void letsNoThreadWaitForADeadService(String name) throws IOException {
    assertPasses(attached.with(mortal()), name);
  }

  @Test
  @Timeout(60)
  void findsReceivesThatWerePostedBeforeAMessageWhileItSlept() throws IOException {
    assertPasses(attached.with(mortal()), "posted-while-asleep");
  }

  /** The variables of a service that the program is to kill, or to stop for a while. */
  private static Map<String, String> mortal() throws IOException {
    Map<String, String> others =
        new HashMap<>(ServiceProcess.attachedOrNew(ProgramEnvironment.standard()));
    Path log = Path.of(others.get(Variables.LOG));
    others.put("SERVICE_PROCESS", Files.readString(log.resolveSibling("pid")).strip());
    return others;
  }

  @Test
  void endsTheProgramThatFillsTheMemoryOfTheService() throws IOException {
    Map<String, String> small =
        ServiceProcess.start(
            ProgramEnvironment.standard(),
            ProcessHandle.current().pid(),
            Map.of(Variables.JAVA_OPTS, "-Xmx128m"));

    CompiledProgram.Outcome outcome = attached.with(small).run("hog");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    String line = Files.readString(Path.of(small.get(Variables.LOG))).strip();
    assertThat(line)
        .matches(
            "queuepair: the service has (9|1[0-2])\\d MiB of 12\\d in use: process \\d+"
                + " \\(program\\) holds most, about ([4-9]|1[01])\\d MiB in \\d+ objects and their"
                + " requests, and is ended; start the service with QUEUEPAIR_JAVA_OPTS="
                + "-Xmx2[45]\\dm for more");
    assertThat(outcome.output())
        .isEqualTo(
            line.replace("queuepair: ", "queuepair: no device: ")
                + "; log: "
                + small.get(Variables.LOG)
                + "\n");
  }

  @Test
  void idsHearOfTheDeathOfTheService() throws IOException {
    assertPasses(inherited.with(mortal()), "removed-device");
  }

  @Test
  void hasNoThreadForEachEventChannel() throws IOException {
    assertPasses(inherited.with(mortal()), "many-channels");
  }

  @Test
  void refusesAChildTheEventChannelOfItsParentAsLinux() throws IOException {
    ProgramEnvironment softRoce =
        new ProgramEnvironment(
            List.of(), "soft-roce", FaultPlan.none(), null, null, null, false, false);

    assertPasses(inherited.with(ServiceProcess.attachedOrNew(softRoce)), "refused-channel");
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

  @Test
  void saysInALineThatTheServiceIsAtItsEnd() throws IOException {
    byte[] name = "queuepair-at-its-end".getBytes(StandardCharsets.US_ASCII);
    int listener = Kernel.required(Kernel.listen(HostService.direct(name), name.length));
    CompletableFuture<Void> end =
        CompletableFuture.runAsync(
            () -> {
              int connection = Kernel.accept(listener);
              while (connection < 0) {
                Thread.onSpinWait();
                connection = Kernel.accept(listener);
              }
              Kernel.close(connection);
            });
    Map<String, String> others = new HashMap<>(variables);
    others.put(Variables.SERVICE, "queuepair-at-its-end");

    CompiledProgram.Outcome outcome = program.with(others).run("devices");

    assertThat(outcome.output())
        .contains("no device: the service queuepair-at-its-end does not answer, as at its end;");
    end.join();
    Kernel.close(listener);
  }

  private static Map<String, String> explained() {
    return with(List.of(), null);
  }

  private static Map<String, String> with(List<String> addresses, Long memlock) {
    return ServiceProcess.attachedOrNew(
        new ProgramEnvironment(
            addresses, "standard", FaultPlan.none(), null, null, memlock, true, false));
  }

  @Test
  void pinsAsMuchMemoryAsIsAllowed() throws IOException {
    CompiledProgram.Outcome outcome = attached.with(with(List.of(), 128L)).run("limited");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("ibv_reg_mr: ENOMEM: 132 KiB would be pinned, but --memlock allows 128")
        .contains("ibv_rereg_mr: ENOMEM: 132 KiB would be pinned, but --memlock allows 128");
  }

  @Test
  void namesMemoryThatHoldsUpTheNetwork() throws IOException {
    CompiledProgram.Outcome outcome = attached.with(with(List.of(), null)).run("stalled");
    assumeTrue(outcome.exitCode() != SKIPPED, "userfaultfd is not allowed");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  @Test
  void showsAProgramTheDeviceThatItHasChosen() throws IOException {
    Map<String, String> others =
        new HashMap<>(with(List.of("127.0.47.1", "127.0.47.2,127.0.47.3"), null));

    assertThat(attached.with(others).run("device-names").output()).isEqualTo("qp0\nqp1\n");
    assertPasses(inherited.with(others), "two-hosts");
    others.put(Variables.ADDRESS, "127.0.47.3");
    assertThat(attached.with(others).run("device-names").output()).isEqualTo("qp1\n");
    others.put(Variables.ADDRESS, "127.0.47.4");
    assertThat(attached.with(others).run("device-names").output())
        .contains("QUEUEPAIR_ADDRESS=127.0.47.4: no device of the service has it");
    assertThat(ServiceClient.of(others).ask("status").lines())
        .contains("device qp0: 127.0.47.1", "device qp1: 127.0.47.2,127.0.47.3");
  }

  /** A plan that may refuse verbs lets every request be awaited. */
  @ParameterizedTest
  @CsvSource({
    "any-posts, Invalid argument, completes: 5",
    "any-receives, completes: 1, event 15",
  })
  void postsWithoutAnAnswerAsWithOne(String name, String refused, String failed)
      throws IOException {
    ProgramEnvironment awaited =
        new ProgramEnvironment(
            List.of(),
            "standard",
            FaultPlan.parse("fail the 1000000th ibv_reg_mr with ENOMEM"),
            null,
            null,
            null,
            false,
            false);

    CompiledProgram.Outcome outcome = attached.run(name);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("Cannot allocate memory", "completes: 0", refused, failed)
        .isEqualTo(attached.with(ServiceProcess.attachedOrNew(awaited)).run(name).output());
  }

  @Test
  void refusesToReportOfWhatIsNoProgram() {
    ServiceClient service = ServiceClient.of(variables);

    assertThatThrownBy(() -> service.ask("report 1"))
        .isInstanceOf(NativeException.class)
        .hasMessage("no program 1 is attached: queuepair service status");
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
    assertThatThrownBy(() -> service.ask("faults nonsense")).isInstanceOf(NativeException.class);
    assertThat(service.ask("status").lines())
        .contains("profile: standard", "faults: drop 1%", "0 programs");
    assertThat(service.ask("faults ")).isEmpty();
    assertThat(service.ask("faults")).isEmpty();
  }

  private static CompiledProgram explainedByTheLibrary() {
    Map<String, String> others = new HashMap<>(variables);
    others.put(Variables.EXPLAIN, "1");
    return program.with(others);
  }

  /** The last line has the addresses of the two pages. */
  @Test
  void saysWhichPageCannotBeRegistered() throws IOException {
    CompiledProgram.Outcome outcome = explainedByTheLibrary().run("unregistrable");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    String[] lines = outcome.output().split("\n", -1);
    String[] pages = lines[4].split(" ", -1);
    assertThat(lines)
        .contains(
            "queuepair: ibv_reg_mr: EFAULT: page "
                + pages[1]
                + " of the range is not writable; LOCAL_WRITE asks for that",
            "queuepair: ibv_reg_mr: EFAULT: page "
                + pages[2]
                + " of the range is not mapped, or not readable",
            "queuepair: ibv_reg_mr: EFAULT: page "
                + pages[1]
                + " of the range is not mapped, or not readable",
            "queuepair: ibv_reg_mr_iova2: EFAULT: page "
                + pages[1]
                + " of the range is not writable; LOCAL_WRITE asks for that");
  }

  @Test
  void saysWhyADestructionWaits() throws IOException {
    CompiledProgram.Outcome outcome = explainedByTheLibrary().run("unacknowledged");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains(
            "ibv_destroy_cq waits: 1 completion event taken, 0 acknowledged (ibv_ack_cq_events)");
  }

  @Test
  void saysWhichVerbIsNotOffered() throws IOException {
    CompiledProgram.Outcome outcome = explainedByTheLibrary().run("newer-release");

    assertThat(outcome.output()).contains("EOPNOTSUPP: the device does not offer it");
  }

  @Test
  void saysWhyTheDestructionOfAnIdWaits() throws IOException {
    CompiledProgram.Outcome outcome = explainedByTheLibrary().run("unacknowledged-cm");
    assumeTrue(outcome.exitCode() != SKIPPED, "librdmacm is not installed");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains(
            "rdma_destroy_id waits: 1 event taken, and not all acknowledged (rdma_ack_cm_event)")
        .as("what librdmacm tries by itself is not explained")
        .doesNotContain("EOPNOTSUPP");
  }

  @Test
  void diesOfItsOwnSegmentationFault() throws IOException {
    CompiledProgram.Outcome outcome = program.run("segv");

    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(SIGNALED + SIGSEGV);
  }

  @Test
  void diesOfABrokenPipe() throws IOException {
    CompiledProgram.Outcome outcome = program.run("broken-pipe");

    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(SIGNALED + SIGPIPE);
  }

  @Test
  void leavesNoFilesUnlessItsLogSaysSomething() throws IOException {
    Map<String, String> others = explained();
    Path directory = Path.of(others.get(Variables.LOG)).getParent();
    long number = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    ProcessHandle service = ProcessHandle.of(number).orElseThrow();
    attached.with(others).run("attributes");

    ServiceClient.of(others).ask("stop");

    service.onExit().join();
    assertThat(directory).doesNotExist();
    assertThat(Path.of(others.get(Variables.ROOT))).doesNotExist();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program in C keeps its signals, threads and children, and is refused what is wrong. */
@Tag("processes")
final class ProgramTest {
  private static final int NO_LIBRDMACM = 77;
  private static final int SIGNALED = 128;
  private static final int SIGSEGV = 11;
  private static final int SIGPIPE = 13;

  private static CompiledProgram program;
  private static CompiledProgram requests;

  @BeforeAll
  static void compile(@TempDir Path directory) throws IOException {
    CompiledProgram.assumeCompiler();
    program = CompiledProgram.of("process.c", directory);
    requests = CompiledProgram.of("requests.c", Files.createDirectory(directory.resolve("other")));
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
        "fork",
        "exec",
        "dlopen",
        "exit-while-waiting",
        "wild-pointer",
        "wild-requests",
        "interrupted-copies",
        "closed-handle",
        "wrong-state",
        "newer-release",
        "buffers",
        "flush",
        "imports",
        "flow",
        "work-queues",
        "interface",
        "long-region",
        "all-addresses",
        "files",
        "errno-of-success"
      })
  void passes(String name) throws IOException {
    CompiledProgram.Outcome outcome = program.run(name);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bad-wr", "inline-size", "all-signaled", "local-invalidate"})
  void readsTheFieldsOfRequests(String name) throws IOException {
    CompiledProgram.Outcome outcome = requests.run(name);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }

  @Test
  void isRefusedAttributesThatAreNotThereWithALine() throws IOException {
    CompiledProgram.Outcome outcome = program.run("wild-attributes");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("EFAULT: the program cannot read the")
        .contains("EFAULT: the program cannot write the");
  }

  /** The last line has the addresses of the two pages. */
  @Test
  void saysWhichPageCannotBeRegistered() throws IOException {
    CompiledProgram.Outcome outcome = program.run("unregistrable");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    String[] lines = outcome.output().split("\n", -1);
    String[] pages = lines[3].split(" ", -1);
    assertThat(lines)
        .contains(
            "queuepair: ibv_reg_mr: EFAULT: page "
                + pages[1]
                + " of the range is not writable; LOCAL_WRITE asks for that",
            "queuepair: ibv_reg_mr: EFAULT: page "
                + pages[2]
                + " of the range is not mapped, or not readable",
            "queuepair: ibv_reg_mr_iova2: EFAULT: page "
                + pages[1]
                + " of the range is not writable; LOCAL_WRITE asks for that");
  }

  @Test
  void saysWhyADestructionWaits() throws IOException {
    CompiledProgram.Outcome outcome = program.run("unacknowledged");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains(
            "ibv_destroy_cq waits: 1 completion event taken, 0 acknowledged (ibv_ack_cq_events)");
  }

  @Test
  void saysWhichVerbIsNotOffered() throws IOException {
    CompiledProgram.Outcome outcome = program.run("newer-release");

    assertThat(outcome.output()).contains("EOPNOTSUPP: the device does not offer it");
  }

  @Test
  void saysWhyTheDestructionOfAnIdWaits() throws IOException {
    CompiledProgram.Outcome outcome = program.run("unacknowledged-cm");
    assumeTrue(outcome.exitCode() != NO_LIBRDMACM, "librdmacm is not installed");

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
    assertThat(outcome.output()).doesNotContain("Java Runtime Environment");
  }

  @Test
  void diesOfABrokenPipe() throws IOException {
    CompiledProgram.Outcome outcome = program.run("broken-pipe");

    assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(SIGNALED + SIGPIPE);
  }

  @Test
  void saysOnceThatAForkedChildHasNoDevice() throws IOException {
    CompiledProgram.Outcome outcome = program.run("fork");

    assertThat(outcome.output()).containsOnlyOnce("forked").contains("ENODEV");
  }

  @Test
  void takesNoAnswerOfAnotherUserInAForkedChild(@TempDir Path directory) throws IOException {
    CompiledProgram.Outcome outcome = CompiledProgram.of("forked_child.c", directory).run("");

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
  }
}

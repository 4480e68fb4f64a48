// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files that commands read and write, IN being one that is there. */
final class FileArgumentsTest {
  private static final String CONTENT = "drop 1st SEND";

  @TempDir private Path folder;
  private Path input;

  @BeforeEach
  void write() throws IOException {
    input = Files.writeString(folder.resolve("in"), CONTENT);
  }

  private CommandRun run(String args) {
    String named = args.replace("IN", input.toString()).replace("NEW", folder + "/new");
    return CommandRun.of(named.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "scenario --pcap IN IN, --pcap",
    "scenario --html IN IN, --html",
    "replay --pcap IN IN, --pcap",
    "demo --faults @IN --pcap IN, --pcap",
    "simulate --seeds 1 --faults @IN --pcap IN, --pcap",
    "simulate --seeds 1 --faults @IN --shrink=IN, --shrink",
    "pingpong --faults @IN --pcap IN, --pcap",
    "scenario --html NEW --pcap NEW IN, --pcap",
  })
  void whatIsReadIsNotOverwritten(String args, String option) {
    CommandRun run = run(args);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains(": " + option + " " + folder)
        .contains(": it is the same file")
        .hasLineCount(1);
    assertThat(input).hasContent(CONTENT);
  }

  @Test
  void anotherNameOfTheSameFileIsNoticed() throws IOException {
    Files.createSymbolicLink(folder.resolve("new"), input);

    assertThat(run("scenario --pcap NEW IN").err()).contains("it is the same file");
    assertThat(input).hasContent(CONTENT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate --seeds 1 --shrink=/no/folder/f",
        "bench --json /no/folder/f",
        "scenario --html /no/folder/f IN",
        "demo --pcap /no/folder/f",
      })
  void whatCannotBeWrittenIsSaidBeforeTheWork(String args) {
    CommandRun run = run(args);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .contains(": /no/folder/f cannot be written: there is no such folder (see")
        .hasLineCount(1);
  }

  @Test
  void helpLooksAtNoFile() {
    assertThat(run("bench --json /no/folder/f --help").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "decode a\0b",
        "demo --pcap a\0b",
        "demo --faults @a\0b",
        "simulate --seeds 1 --shrink=a\0b",
      })
  void aNameThatNoFileCanHaveIsSaid(String args) {
    CommandRun run = run(args);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'a\0b' is no name of a file in the ").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          decode /no/file            | cannot read /no/file: there is no such file
          decode /                   | cannot read /: it is a directory
          totals /no/file            | cannot read /no/file: there is no such file
          run /no/file               | cannot read /no/file: there is no such file
          scenario /no/file          | cannot read /no/file: there is no such file
          replay /no/file            | cannot read /no/file: there is no such file
          check-transitions /no/file | cannot read /no/file: there is no such file
          check-transitions /        | cannot read /: it is a directory
          demo --faults @/no/file    | /no/file cannot be read: there is no such file
          demo --faults @/           | / cannot be read: it is a directory
          """)
  void whyAFileCannotBeReadIsSaidInWords(String args, String message) {
    CommandRun run = run(args);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains(": " + message).hasLineCount(1);
  }
}

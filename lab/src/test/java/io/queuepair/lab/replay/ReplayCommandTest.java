// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
final class ReplayCommandTest {
  /** One side registers memory, writes into it and reads it. */
  private static final String MEMORY =
      """
      {"name":"memory","mode":"loopback","steps":[
      {"side":"A","op":"alloc_pd","args":{"name":"pd"},"res":{"ret":0}},
      {"side":"A","op":"reg_mr","args":{"name":"mr","pd":"pd","length":64,"access":["LOCAL_WRITE",
      "REMOTE_READ"],"fill":238},"res":{"ret":0,"lkey_eq_rkey":true,"rkey_zero":false,
      "lkey_zero":false}},
      {"side":"A","op":"fill","args":{"mr":"mr","off":2,"length":2,"hex":"0102"},"res":{}},
      {"op":"sleep","args":{"s":0.2}},
      {"side":"A","op":"mem","args":{"mr":"mr","off":0,"length":5},"res":{"hex":"eeee0102ee"}},
      {"side":"A","op":"dealloc_pd","args":{"name":"pd"},"res":{"ret":"EBUSY"}}]}
      """
          .replace("\n", "");

  /** A client resolves an address that a server has, and its process ends. */
  private static final String PROGRAM =
      """
      {"name":"resolves","log":[
      ["S","channel",{"name":"sch"},{}],
      ["S","create",{"name":"L","ch":"sch","ps":"TCP"},{"ret":"ok"}],
      ["S","bind",{"id":"L","a":"S","port":7491},{"ret":"ok"}],
      ["S","ports",{"id":"L"},{"src":"P+0","dst":0,"verbs":true,"port_num":1}],
      ["C","channel",{"name":"cch"},{}],
      ["C","create",{"name":"c","ch":"cch"},{"ret":"ok"}],
      ["C","resolve",{"id":"c","dst":"S","port":7491},{"ret":"ok"}],
      ["C","events",{"ch":"cch"},{"ev":[{"event":"ADDR_RESOLVED","id":"c","status":0}]}],
      ["C","qpstate",{"id":"r1"},{"absent":"r1"}],
      ["C","qpstate",{"id":"c"},{"state":null}],
      ["C","route",{"id":"c"},{"died":true}],
      ["C","route",{"id":"c"},{"ret":"EINVAL"}]]}
      """
          .replace("\n", "");

  @TempDir private Path directory;

  private CommandRun replay(String content, String... options) throws IOException {
    Path file = Files.writeString(directory.resolve("recording"), content);
    String[] args = new String[options.length + 2];
    args[0] = "replay";
    System.arraycopy(options, 0, args, 1, options.length);
    args[args.length - 1] = file.toString();
    return CommandRun.of(args);
  }

  @Test
  void whatIsAnsweredAlikeAgrees() throws IOException {
    CommandRun run = replay(MEMORY + "\n");

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines()).containsExactly("scenarios=1 agree=1 differ=0 skipped=0");
  }

  @ParameterizedTest
  @CsvSource({
    "eeee0102ee, eeee0103ee, 4 A.mem hex: recorded eeee0103ee; ours eeee0102ee",
    "EBUSY, EINVAL, 5 A.dealloc_pd ret: recorded EINVAL; ours EBUSY",
    "'\"EBUSY\"', 0, 5 A.dealloc_pd ret: recorded 0; ours EBUSY",
    "'\"lkey_eq_rkey\":true,', '', 1 A.reg_mr lkey_eq_rkey: recorded absent; ours true",
  })
  void aDifferenceIsPrintedWithItsPlace(String from, String to, String line) throws IOException {
    CommandRun run = replay(MEMORY.replace(from, to));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines())
        .containsExactly(
            "memory step " + line.replace(';', ','), "scenarios=1 agree=0 differ=1 skipped=0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"op\":\"fill\"   | \"op\":\"vanish\"     | operation vanish is not offered",
        "\"off\":2         | \"shift\":2           | fill: argument 'shift' is not known;"
            + " there are [fill, hex, length, mr, off]",
        "\"side\":\"A\",\"op\":\"mem\" | \"side\":\"C\",\"op\":\"mem\" | side 'C' is not known",
        "loopback          | moon                  | mode 'moon' is not known",
        "\"side\":\"A\",\"op\":\"dealloc_pd\",\"args\":{\"name\":\"pd\"} |"
            + " \"side\":\"host\",\"op\":\"shell\",\"args\":{\"cmd\":\"reboot\"} |"
            + " shell: the command 'reboot' is not known",
        "\"length\":64     | \"length\":\"4x\"     | '4x' is not a value",
      })
  void whatTheApiDoesNotHaveIsSkippedWithTheReason(String from, String to, String reason)
      throws IOException {
    CommandRun run = replay(MEMORY.replace(from, to));

    assertThat(run.exitCode()).isZero();
    assertThat(run.lines())
        .containsExactly("skipped memory: " + reason, "scenarios=1 agree=0 differ=0 skipped=1");
  }

  @Test
  void aValueThatNoTypeHasDiffersUnlessItWasRefused() throws IOException {
    String viewing = MEMORY.replace("REMOTE_READ", "REMOTE_VIEWING");
    String refused = viewing.replaceAll("\\{\"ret\":0,\"lkey.*?}", "{\"ret\":\"EINVAL\"}");

    assertThat(replay(viewing, "--strict").lines())
        .contains("memory step 1 A.reg_mr ret: recorded 0, ours inexpressible");
    assertThat(replay(refused, "--strict").out()).doesNotContain("reg_mr");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"ADDR_RESOLVED\" | \"ADDR_ERROR\" | 7 C.events ev[0].event: recorded ADDR_ERROR",
        "[{\"event\".*?}]  | []             | 7 C.events ev[0]: recorded absent, ours {",
        "\"P[+]0\"         | \"P+1\"        | 3 S.ports src: recorded P+1, ours P+0",
        "\"ret\":\"ok\"    | \"ret\":\"EIO\"  | 1 S.create ret: recorded EIO, ours ok",
      })
  void aDifferenceOfAProgramOfRdmaCmIsPrintedWithItsPlace(String from, String to, String line)
      throws IOException {
    CommandRun run = replay(PROGRAM.replaceFirst(from.replace("[{", "\\[\\{"), to));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("resolves step " + line);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"qpstate\" | \"vanish\" | operation vanish is not offered",
        "[\"C\"      | [\"X\"     | side 'X' is not known",
      })
  void whatAProgramOfRdmaCmHasThatIsNotOfferedIsSkipped(String from, String to, String reason)
      throws IOException {
    CommandRun run = replay(PROGRAM.replace(from, to));

    assertThat(run.lines())
        .containsExactly("skipped resolves: " + reason, "scenarios=1 agree=0 differ=0 skipped=1");
  }

  @Test
  void acceptedDifferencesAreSummedUpWithReasonAndRules() throws IOException {
    String readOnly =
        MEMORY
            .replace("\"fill\":238", "\"prot\":\"r\"")
            .replaceAll("\\{\"ret\":0,\"lkey.*?}", "{\"ret\":\"EFAULT\"}");

    CommandRun run = replay(readOnly);

    assertThat(run.out())
        .doesNotContain("A.reg_mr ret")
        .containsPattern("accepted differences:\\R +1  types +The types of the API")
        .containsPattern(" +1    both  types  with .+  EFAULT  inexpressible\\R");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                     | line 2: a scenario is a JSON object",
        "[]                                     | line 2: a scenario is a JSON object",
        "{\"name\":\"x\"                        | line 2: this is not JSON at column",
        "{\"name\":\"x\",\"name\":\"y\"}        | line 2: this is not JSON at column",
        "{\"mode\":\"wire\"}                    | line 2: the scenario has no text 'name'",
        "{\"name\":\"x\",\"mode\":\"wire\"}     | line 2: scenario x has no list 'steps'",
        "{\"name\":\"x\",\"mode\":\"wire\",\"steps\":[1]}  | line 2: step 0 of x is not a JSON",
        "{\"name\":\"x\",\"mode\":\"wire\",\"steps\":[{}]} | line 2: step 0 of x has no text 'op'",
        "{\"name\":\"x\",\"log\":[[\"S\",\"bind\",{}]]} | line 2: call 0 of x is not a list",
      })
  void aBrokenLineIsNamed(String line, String message) throws IOException {
    CommandRun run = replay(MEMORY + "\n" + line + "\n");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("recording, " + message);
  }

  /** The parser takes 1,000 levels. */
  @Test
  void tooDeepALineIsNamed() throws IOException {
    CommandRun run = replay("[".repeat(1_001) + "]".repeat(1_001) + "\n");

    assertThat(run.err())
        .contains(
            "line 1: this is not JSON: Document nesting depth (1001) exceeds the maximum allowed"
                + " (1000) (see ");
  }

  @Test
  void aLineHasALimit() throws IOException {
    CommandRun run = replay(MEMORY + "\n" + " ".repeat(2_000_000 + 1));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("line 2: the line is longer than 2000000 characters");
  }

  @Test
  void aCompressedRecordingMayBeReadAndMayBeDamaged() throws IOException {
    Path file = directory.resolve("recording.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(MEMORY.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    assertThat(CommandRun.of("replay", file.toString()).out()).contains("agree=1");

    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
    CommandRun run = CommandRun.of("replay", file.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("line 1: the compressed file is damaged");
  }

  @Test
  void onlySomeScenariosCanBeReplayed() throws IOException {
    CommandRun run = replay(MEMORY + "\n" + MEMORY.replace("memory", "other"), "--only", "o.*");

    assertThat(run.lines()).containsExactly("scenarios=1 agree=1 differ=0 skipped=0");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.tests.support.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DecodeCommandTest {
  /** The demonstration has so many packets: its own test lists them. */
  private static final String COUNTS =
      "packets=13 icrc_ok=13 icrc_bad=0 malformed=0 reencoded_identical=13";

  @TempDir private Path directory;

  private Path demo() {
    Path file = directory.resolve("demo.pcapng");
    assertThat(CommandRun.of("demo", "--pcap", file.toString()).exitCode()).isZero();
    return file;
  }

  @Test
  void printsALineForEachPacketAndTheCounts() {
    CommandRun run = CommandRun.of("decode", demo().toString());

    assertThat(run.exitCode()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.lines()).hasSize(14).last().isEqualTo(COUNTS);
    assertThat(run.lines().get(0))
        .contains("    1 0.000000000 10.0.0.1 -> 10.0.0.2  RC_SEND_ONLY ")
        .contains(" psn=100 ")
        // 12 bytes of BTH, 15 of the message, one of padding, 4 of ICRC
        .endsWith(", length 32, ICRC ok");
  }

  /** A pcap file of one frame of Ethernet type 0x8915, which is RoCE v1. */
  @Test
  void saysWhatItSkips() throws IOException {
    String header = "d4c3b2a1 02000400 00000000 00000000 ffff0000 01000000";
    String frame = "020000000002 020000000001 8915 6000";
    byte[] bytes =
        HexFormat.of()
            .parseHex((header + "00000000 00000000 10000000 10000000" + frame).replace(" ", ""));
    Path file = Files.write(directory.resolve("rocev1.pcap"), bytes);

    assertThat(CommandRun.of("decode", file.toString()).lines())
        .containsExactly(
            "skipped 1 frame: RoCE v1, not decoded",
            "packets=0 icrc_ok=0 icrc_bad=0 malformed=0 reencoded_identical=0");
  }

  @Test
  void ladderIsThatOfTheDemonstration() {
    List<String> ladder =
        CommandRun.of("demo").lines().stream()
            .filter(line -> line.startsWith("   |"))
            .map(line -> line.substring(4))
            .toList();

    CommandRun run = CommandRun.of("decode", "--ladder", demo().toString());

    assertThat(run.lines().subList(0, 13))
        .extracting(line -> line.replaceFirst("  # .*", "").substring(14))
        .containsExactlyElementsOf(ladder.stream().map(line -> line.substring(14)).toList());
  }

  @Test
  void jsonIsAnObjectPerLineAndTheLastHasTheCounts() throws IOException {
    CommandRun run = CommandRun.of("decode", "--json", demo().toString());

    assertThat(run.lines()).hasSize(14);
    JsonNode first = new ObjectMapper().readTree(run.lines().get(0));
    assertThat(first.get("opcode").asText()).isEqualTo("RC_SEND_ONLY");
    assertThat(first.get("psn").asInt()).isEqualTo(100);
    assertThat(first.get("icrc").asText()).isEqualTo("ok");
    JsonNode last = new ObjectMapper().readTree(run.lines().get(13));
    assertThat(last.get("reencoded_identical").asInt()).isEqualTo(13);
    assertThat(run.err()).isEqualToIgnoringNewLines(COUNTS);
  }

  @Test
  void fileCutWithinAPacketIsSaidAfterThoseBefore() throws IOException {
    byte[] whole = Files.readAllBytes(demo());
    Path cut = directory.resolve("cut.pcapng");
    Files.write(cut, Arrays.copyOf(whole, whole.length - 5));

    CommandRun run = CommandRun.of("decode", cut.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.lines()).hasSize(13).last().asString().startsWith("packets=12 icrc_ok=12 ");
    assertThat(run.err())
        .startsWith("queuepair decode: The capture file " + cut + " ends at offset ")
        .hasLineCount(1);
  }

  @Test
  void whatIsNoCaptureIsRefusedInOneLine() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "This is not a capture.");

    CommandRun run = CommandRun.of("decode", text.toString());

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("broken at offset 0").hasLineCount(1);
  }
}

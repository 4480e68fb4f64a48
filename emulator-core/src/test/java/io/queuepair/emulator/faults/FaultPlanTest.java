// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.wire.HeaderField;
import io.queuepair.emulator.wire.MadField;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.PacketField;
import io.queuepair.verbs.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FaultPlanTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop",
        "drop 0.5% of ACK from 10.0.0.2",
        "drop 3rd RDMA_WRITE_MIDDLE to 10.0.0.2 qp 17",
        "delay up to 20us 1%",
        "delay 1500ns 11th.. packet psn 16777215..3",
        "corrupt psn 1st",
        "corrupt byte 12 UD from fd00::1",
        "set rkey 0x11 READ_REQUEST where va >= 18446744073709551615 and dma_length != 0",
        "forge nak remote_access_error 1st RDMA_READ_REQUEST",
        "forge rnr_nak 12 1st SEND at 1ms for 2s",
        "set psn +2 ACK; set psn -2 ACK",
        "seed -5; drop 1%; drop 2%",
        "partition 10.0.0.1 from 10.0.0.2, 10.0.0.3 at 1ms for 5ms",
        "port 10.0.0.1 down",
        "exhaust cq_space of 10.0.0.1 at 1ms",
        "fail the 3rd ibv_reg_mr of 10.0.0.1 with ENOMEM",
        "fail 1% ibv_post_send with eagain at 1ms for 1s",
        "fail every 2nd ibv_poll_cq with EINVAL",
        "duplicate every 3rd CM where psn <= 5 and qpn != 1",
        "reorder 7th..1000000000007th ATOMIC",
        "corrupt icrc 0.125% RNR_NAK; forge ack 1st REQUEST",
        "pause 10.0.0.1 at 7ns for 20s; kill fd00::1 at 7ns"
      })
  void aPlanGivesItsTextBack(String text) {
    FaultPlan plan = FaultPlan.parse(text);

    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan).hasSameHashCodeAs(plan);
  }

  @Test
  void spacesCommentsAndLineBreaksSayNothing() {
    FaultPlan plan =
        FaultPlan.parse(
            """
            # What goes wrong:
            drop  3rd of ACK   # the third

            seed 4 ; Delay up to 1000us 1%;
            """);

    assertThat(plan).hasToString("seed 4; drop 3rd ACK; delay up to 1ms 1%");
  }

  @Test
  void plansAddUp() {
    FaultPlan plan = FaultPlan.parse("seed 4; drop 1%").plus(FaultPlan.parse("seed 5; drop 2%"));

    assertThat(plan).hasToString("seed 4; drop 1%; drop 2%");
    assertThat(FaultPlan.none().isEmpty()).isTrue();
    assertThat(plan.isEmpty()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "dorp 1% | line 1, column 1: found \"dorp\", allowed here: drop, duplicate, reorder,"
            + " delay, corrupt, set, forge, partition, pause, port, kill, exhaust, fail, seed",
        "drop 101% | line 1, column 6: found \"101%\", allowed here: a probability of 0% to 100%",
        "drop 3rd ACKS | line 1, column 10: found \"ACKS\", allowed here: an amount such as 3rd or"
            + " 1%, an opcode or a group of opcodes, from, to, qp, psn, where, at, for, or the end"
            + " of the statement",
        "delay 20 | line 1, column 7: found \"20\", allowed here: a time such as 20us, in ns, us,"
            + " ms or s",
        "delay 0us | line 1, column 7: found \"0us\", allowed here: a time that is more than zero",
        "drop ACK to host | line 1, column 13: found \"host\", allowed here: an IP address",
        "drop ACK to | line 1, column 12: found the end of the plan, allowed here: an IP address",
        "drop ACK qp 1 qp 2 | line 1, column 15: \"qp\" is said twice",
        "drop ACK where msn 3 | line 1, column 20: found \"3\", allowed here: =, !=, <, <=, >, >=",
        "drop ACK psn 16777216 | line 1, column 14: found \"16777216\", allowed here: a number of 0"
            + " to 16777215",
        "forge nak 3 | line 1, column 11: found \"3\", allowed here: psn_sequence_error,"
            + " invalid_request, remote_access_error, remote_operational_error, invalid_rd_request",
        "forge rnr_nak 32 | line 1, column 15: found \"32\", allowed here: a number of 0 to 31",
        "kill 10.0.0.1 | line 1, column 14: found the end of the plan, allowed here: at",
        "pause 10.0.0.1; | line 1, column 15: found the end of the statement, allowed here: for,"
            + " and a time: a pause has an end",
        "exhaust cats of 10.0.0.1 | line 1, column 9: found \"cats\", allowed here: pds, mrs, mws,"
            + " cqs, channels, qps, srqs, ahs, xrcds, dms, flows, counters, cq_space",
        "fail ibv_reg_mrx with ENOMEM | line 1, column 6: found \"ibv_reg_mrx\", allowed here: an"
            + " amount such as 3rd or 1%, or a verb that can fail",
        "drop 3rd ACK drop | line 1, column 14: found \"drop\", allowed here: an amount such as"
            + " 3rd or 1%, an opcode or a group of opcodes, from, to, qp, psn, where, at, for, or"
            + " the end of the statement",
        "seed 1; seed 2 | line 1, column 9: the seed is given twice",
      })
  void anErrorSaysWhereAndWhatIsAllowed(String text, String message) {
    assertThatThrownBy(() -> FaultPlan.parse(text))
        .isInstanceOf(FaultSyntaxException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "drop 0th ACK",
        "drop 3rd..2nd ACK",
        "drop every 0th ACK",
        "drop packet at 101d",
        "set ackreq 2 ACK",
        "corrupt byte -1",
        "forge nak remote_boredom"
      })
  void whatTheLanguageDoesNotHaveIsRefused(String text) {
    assertThatThrownBy(() -> FaultPlan.parse(text)).isInstanceOf(FaultSyntaxException.class);
  }

  @Test
  void anErrorKnowsItsLine() {
    assertThatThrownBy(() -> FaultPlan.parse("drop 1%\n\n  # here:\n  drip"))
        .isInstanceOf(FaultSyntaxException.class)
        .hasMessageStartingWith("line 4, column 3: ");
  }

  /** A name that the language has of every field, opcode, verb, errno and resource. */
  private static Stream<String> statementsWithEveryName() {
    Stream<PacketField> fields =
        Stream.concat(Stream.of(HeaderField.values()), MadField.all().stream());
    return Stream.of(
            fields.flatMap(
                field ->
                    Stream.of(
                        "corrupt " + field + " 0.125% UD",
                        "set " + field + " " + field.mask() + " every 3rd MAD",
                        "set " + field + " -" + (field.mask() >>> 1) + " SIDR_REQ")),
            Stream.of(Opcode.values()).map(opcode -> "duplicate 3rd..7th " + opcode + " psn 3..5"),
            FallibleVerbs.names().stream().map(verb -> "fail 3rd " + verb + " with ENOMEM at 7ns"),
            Stream.of(Errno.values()).map(errno -> "fail ibv_reg_mr of fd00::1 with " + errno),
            Stream.of(Resource.values()).map(one -> "exhaust " + one + " of 10.0.0.1 at 1ns"))
        .flatMap(statements -> statements);
  }

  @Test
  void aPlanIsTheSumOfItsStatementsWhicheverNamesTheyHave() {
    List<String> statements = statementsWithEveryName().toList();
    FaultPlan plan = FaultPlan.parse("seed 9\n" + String.join("\n", statements));

    FaultPlan sum = plan.each().stream().reduce(FaultPlan.none(), FaultPlan::plus);

    assertThat(FaultPlan.parse(plan.toString())).isEqualTo(plan).hasSameHashCodeAs(plan);
    assertThat(plan.each()).hasSameSizeAs(statements);
    assertThat(sum.withSeed(9)).isEqualTo(plan);
    assertThat(plan.ofPackets().each().size() + plan.ofDevices().each().size())
        .isEqualTo(plan.each().size());
  }

  // The verbs that a plan can name.

  private static final Path DEVICE = Path.of("src/main/java/io/queuepair/emulator/device");
  private static final Pattern ASKS =
      Pattern.compile(
          "(?:driver(?:\\(\\))?\\s*\\.(?:beginVerb|failAsPlanned|step|call)"
              + "|ontext(?:\\(\\))?\\s*\\.destroy(?:Acknowledged)?)"
              + "\\((?:\"(\\w+)\"|(?!verb\\b)(\\w+))[,)]");
  private static final Pattern CONSTANT =
      Pattern.compile("static final String (\\w+) = \"((?:ibv|umad)_\\w+)\"");

  /** The verbs whose implementations ask the plan, read from their sources. */
  private static Set<String> asking() throws IOException {
    Set<String> asking = new TreeSet<>();
    try (Stream<Path> files = Files.walk(DEVICE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String source = Files.readString(file);
        Map<String, String> constants = new TreeMap<>();
        CONSTANT
            .matcher(source)
            .results()
            .forEach(one -> constants.put(one.group(1), one.group(2)));
        Matcher matcher = ASKS.matcher(source);
        while (matcher.find()) {
          String literal = matcher.group(1);
          asking.add(literal != null ? literal : constants.getOrDefault(matcher.group(2), "?"));
        }
      }
    }
    return asking;
  }

  @Test
  void aPlanCanNameExactlyTheVerbsThatAskIt() throws IOException {
    assertThat(FallibleVerbs.names()).containsExactlyElementsOf(asking());
  }

  @Test
  void everyResourceIsCreatedByVerbsThatAsk() {
    for (Resource resource : Resource.values()) {
      assertThat(FallibleVerbs.names()).containsAll(List.copyOf(resource.verbs()));
    }
  }
}

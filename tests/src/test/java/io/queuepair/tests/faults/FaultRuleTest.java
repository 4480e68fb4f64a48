// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which packets a rule is about. What is done to them, the FECN bit, changes nothing else: the
 * SENDs of host 10.0.0.1 have the PSNs 100, 101 and so on, and nothing is sent twice.
 */
final class FaultRuleTest {
  private static final Pattern SEND = Pattern.compile("RC_SEND_ONLY qp=0x000011 psn=(\\d+)");

  /** Sends messages without data and gives the ladder. */
  private static List<String> ladder(int messages, String plan) {
    List<String> ladder = new ArrayList<>();
    FaultFabric faulty = new FaultFabric(LinkForm.OBJECTS.fabric(), FaultPlan.parse(plan));
    try (Pair pair = Pair.on(LadderTrace.on(faulty, ladder::add)).connect()) {
      for (int i = 0; i < messages; i++) {
        pair.b().qp().postRecv(List.of(RecvWr.of(i)));
        pair.a().qp().postSend(List.of(SendWr.send(i)));
        pair.drain();
        pair.a().sends();
      }
    }
    return ladder;
  }

  /** The PSNs of the SENDs about which a line says that. */
  private static List<Integer> psns(List<String> ladder, String saying) {
    List<Integer> psns = new ArrayList<>();
    for (String line : ladder) {
      Matcher send = SEND.matcher(line);
      if (line.contains(saying) && send.find()) {
        psns.add(Integer.valueOf(send.group(1)));
      }
    }
    return psns;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          packet                                  | 100 101 102 103
          SEND                                    | 100 101 102 103
          2nd SEND                                | 101
          2nd..3rd SEND                           | 101 102
          3rd.. SEND                              | 102 103
          first 2 SEND                            | 100 101
          every 2nd SEND                          | 101 103
          100% SEND                               | 100 101 102 103
          0% SEND                                 |
          SEND psn 101..102                       | 101 102
          SEND psn 103..101                       | 100 101 103
          SEND psn 102                            | 102
          2nd SEND psn 101..103                   | 102
          SEND qp 17                              | 100 101 102 103
          SEND qp 18                              |
          SEND from 10.0.0.1                      | 100 101 102 103
          SEND from 10.0.0.2                      |
          SEND to 10.0.0.2                        | 100 101 102 103
          SEND to 10.0.0.1                        |
          SEND where psn = 101                    | 101
          SEND where psn != 101                   | 100 102 103
          SEND where psn < 101                    | 100
          SEND where psn <= 101                   | 100 101
          SEND where psn > 102                    | 103
          SEND where psn >= 102                   | 102 103
          SEND where psn > 100 and psn < 103      | 101 102
          SEND where va = 0                       |
          RC_SEND_ONLY                            | 100 101 102 103
          SEND_ONLY                               | 100 101 102 103
          SEND_FIRST                              |
          RC                                      | 100 101 102 103
          UD                                      |
          REQUEST                                 | 100 101 102 103
          RESPONSE                                |
          ATOMIC                                  |
          ACK                                     |
          SEND at 1s                              |
          SEND for 1ns                            | 100
          """)
  void aRuleIsAboutThesePackets(String selection, String psns) {
    List<Integer> expected = new ArrayList<>();
    for (String psn : psns == null ? new String[0] : psns.split(" ")) {
      expected.add(Integer.valueOf(psn));
    }

    List<String> ladder = ladder(4, "set fecn 1 " + selection);

    assertThat(psns(ladder, "rewritten: ")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"ACK, ACK", "RESPONSE, ACK", "RC_ACKNOWLEDGE, ACK"})
  void answersAreMeantByWhatTheySay(String kind, String said) {
    assertThat(ladder(1, "set fecn 1 " + kind))
        .filteredOn(line -> line.contains("rewritten"))
        .singleElement()
        .asString()
        .contains("RC_ACKNOWLEDGE qp=0x000011 psn=100")
        .contains(" " + said + " ");
  }

  @ParameterizedTest
  @CsvSource({"RNR_NAK, RNR NAK", "NAK, NAK PSN sequence error"})
  void refusalsAreMeantByWhatTheySay(String kind, String said) {
    List<String> ladder = new ArrayList<>();
    String plan = "set fecn 1 " + kind + "; set psn +1 1st SEND";
    FaultFabric faulty = new FaultFabric(LinkForm.OBJECTS.fabric(), FaultPlan.parse(plan));
    try (Pair pair = Pair.on(LadderTrace.on(faulty, ladder::add)).connect()) {
      pair.a().qp().postSend(List.of(SendWr.send(1)));
      for (int events = 0; events < 20; events++) {
        faulty.scheduler().runNext();
      }
      pair.b().qp().postRecv(List.of(RecvWr.of(1)));
      pair.drain();
    }

    assertThat(ladder)
        .filteredOn(line -> line.contains("set fecn"))
        .isNotEmpty()
        .allMatch(line -> line.contains(said));
  }

  /** A rule counts what matches it, whatever becomes of it because of others. */
  @Test
  void aRuleCountsWhatAnotherOneDrops() {
    List<String> ladder = ladder(3, "drop 2nd SEND; set fecn 1 2nd SEND; set becn 1 3rd SEND");

    assertThat(psns(ladder, "dropped: ")).containsExactly(101);
    assertThat(psns(ladder, "set becn")).containsExactly(101);
  }

  private static List<Integer> drawn(String plan) {
    return psns(ladder(200, plan), "rewritten: set fecn");
  }

  /** 200 draws of 30 %: 60 on average, with a standard deviation of 6.5; five of these each way. */
  @Test
  void aShareIsMetAboutThatOften() {
    assertThat(drawn("set fecn 1 30% SEND")).hasSizeBetween(28, 92);
  }

  @Test
  void chanceDependsOnSeedAndStatementAlone() {
    List<Integer> drawn = drawn("seed 4; set fecn 1 30% SEND");

    assertThat(drawn("seed 4; set fecn 1 30% SEND; set becn 1 50% SEND")).isEqualTo(drawn);
    assertThat(drawn("seed 5; set fecn 1 30% SEND")).isNotEqualTo(drawn);
    assertThat(drawn("seed 4; set fecn 1 30% RC_SEND_ONLY")).isNotEqualTo(drawn);
  }

  /** Were both drawn with the same numbers, they would always agree. */
  @Test
  void theSameStatementTwiceIsDrawnTwice() {
    List<String> ladder = ladder(200, "set fecn 1 50% SEND; set fecn 1 50% SEND");
    String note = "rewritten: set fecn 1 50% SEND";

    assertThat(ladder)
        .anyMatch(line -> line.indexOf(note) >= 0 && line.indexOf(note) == line.lastIndexOf(note))
        .anyMatch(line -> line.indexOf(note) != line.lastIndexOf(note));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptedRuleTest {
  /** A call with an argument, and a poll of each side after it. */
  private static final Scenario SCENARIO =
      new Scenario(
          "rc_x_SEND",
          "loopback",
          List.of(modifyTo("ERR"), step(1, "B", "poll_cq"), step(2, "A", "poll_cq")));

  private static final List<Difference> DIFFERENCES =
      List.of(
          new Difference("rc_x_SEND", 0, "A.modify_qp", "ret", "0", "EINVAL"),
          new Difference("rc_x_SEND", 1, "B.poll_cq", "wcs[0].status", "SUCCESS", "FATAL_ERR"),
          new Difference("rc_x_SEND", 2, "A.poll_cq", "n", "1", "0"));

  private static Step step(int number, String side, String op) {
    return new Step(number, side, op, JsonNodeFactory.instance.objectNode(), null);
  }

  private static Step modifyTo(String state) {
    Step step = step(0, "A", "modify_qp");
    step.args().put("qp", "qp").putObject("attrs").put("state", state);
    return step;
  }

  private static boolean accepts(String rule) {
    AcceptedRule accepted = AcceptedRule.of(rule.replace(" | ", "\t"));
    return DIFFERENCES.stream().anyMatch(difference -> accepted.accepts(difference, SCENARIO));
  }

  @ParameterizedTest
  @CsvSource({
    "both | why | * | B.poll_cq | wcs[0].status | SUCCESS | FATAL_ERR, true",
    "both | why | * | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, true",
    "'both | why | * | *.{poll_cq,mem} | wcs[*].{opcode,status} | SUCCESS | FATAL_ERR', true",
    "both | why | * | *.poll_cq | wcs[*].status | SUC?ESS | FATAL_ERR, true",
    "both | why | * | *.poll_cq | wcs[*].status | /S.+/ | /[A-Z]+_ERR/, true",
    "both | why | rc_* | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR | so it is, true",
    "both | why | ud_* | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR | so it is, false",
    "both | why | * | A.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, false",
    "both | why | * | *.poll_cq | wcs[1].status | SUCCESS | FATAL_ERR, false",
    "both | why | * | *.poll_cq | wcs[*].status | SUCCESS | REM_OP_ERR, false",
    "both | why | * | *.poll_cq | wcs[*].status | GENERAL_ERR | FATAL_ERR, false",
    "both | why | * | *.poll_cq | wcs[*].status | * | FATAL_ERR, false",
    "both | why | * | *.poll_cq | wcs[*].status | /S/ | FATAL_ERR, false",
    "both | why | call *.modify_qp | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, true",
    "both | why | call A.modify_qp /\"state\":\"E/ | *.poll_cq | * | SUCCESS | FATAL_ERR, true",
    "both | why | call *.modify_qp \"state\":\"SQD\" | *.poll_cq | * | SUCCESS | FATAL_ERR, false",
    "both | why | call B.modify_qp | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, false",
    "both | why | own poll_cq | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, true",
    "both | why | own modify_qp | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, false",
    "both | why | with \"state\" | *.poll_cq | wcs[*].status | SUCCESS | FATAL_ERR, false",
    "both | why | with \"state\":\"ERR\" | *.modify_qp | ret | 0 | EINVAL, true",
    "both | why | with \"state\":\"RTS\" | *.modify_qp | ret | 0 | EINVAL, false",
    "both | why | own modify_qp \"state\":\"ERR\" | *.poll_cq | n | 1 | 0, true",
    "both | why | own modify_qp \"state\":\"RTS\" | *.poll_cq | n | 1 | 0, false",
  })
  void aRuleIsAsNarrowAsItIsWritten(String rule, boolean isAccepted) {
    assertThat(accepts(rule)).isEqualTo(isAccepted);
  }

  @Test
  void eachAlternativeOfCallAndFieldIsARuleOfItsOwn() {
    assertThat(AcceptedRule.allOf("both\twhy\t*\t*.{a,b}\tx.{y,z}\t1\t0"))
        .extracting(AcceptedRule::line)
        .containsExactly(
            "both\twhy\t*\t*.a\tx.y\t1\t0",
            "both\twhy\t*\t*.a\tx.z\t1\t0",
            "both\twhy\t*\t*.b\tx.y\t1\t0",
            "both\twhy\t*\t*.b\tx.z\t1\t0");
  }

  /** Such a rule would accept whatever is recorded, or whatever the emulator answers. */
  @Test
  void noRuleOfTheFileIsForEveryFieldOrValue() {
    assertThat(AcceptedDifferences.all().rules())
        .isNotEmpty()
        .noneMatch(rule -> rule.field().matcher("attr.unheard_of").matches())
        .noneMatch(rule -> rule.recordedValue().matcher("unheard of").matches())
        .noneMatch(rule -> rule.oursValue().matcher("unheard of").matches());
  }

  @ParameterizedTest
  @CsvSource({
    "127, 64, true",
    "31, 16, true",
    "15, 10, true",
    "3, 3, true",
    "7, 3, false",
    "64, 64, false",
    "127, 63, false",
    "127, 128, false",
    "absent, 64, false",
    "1, 0, false"
  })
  void aRoundedSizeIsThatOfLinux(String recorded, String ours, boolean isAccepted) {
    AcceptedRule rule = AcceptedRule.of("both\twhy\t*\t*\tcqe\t2^n-1\t*");
    Difference difference = new Difference("s", 1, "A.create_cq", "cqe", recorded, ours);

    assertThat(rule.accepts(difference, SCENARIO)).isEqualTo(isAccepted);
  }

  @Test
  void aRuleWithoutAllColumnsIsRefused() {
    assertThatThrownBy(() -> AcceptedRule.of("both\twhy")).hasMessageContaining("7 columns, not 2");
  }

  @ParameterizedTest
  @CsvSource({
    "both | why | rc_* | *.poll_cq | n | 1 | 0",
    "both | why | rc_* | *.poll_cq | n | 1 | 0 | ''",
    "both | why | * | *.poll_cq | n | 1 | 0 | so it is",
  })
  void aRuleThatNamesScenariosSaysWhyAndNoOther(String rule) {
    assertThatThrownBy(() -> AcceptedRule.of(rule.replace("''", " ").replace(" | ", "\t")))
        .hasMessageContaining("says in an eighth column why");
  }

  @Test
  void whatFollowsFromAnAcceptedDifferenceIsAcceptedFromThereOn() {
    Difference before = new Difference("s", 1, "A.poll_cq", "n", "1", "0");
    Difference cause = new Difference("s", 2, "A.poll_cq", "wcs[0].status", "REM_OP_ERR", "OTHER");
    Difference same = new Difference("s", 2, "A.poll_cq", "n", "1", "0");
    Difference behind = new Difference("s", 3, "A.poll_cq", "n", "1", "0");
    AcceptedDifferences accepted = AcceptedDifferences.none();
    accepted.add("reason\twhy\tBecause.");
    accepted.add("both\twhy\tafter\t*.poll_cq\tn\t1\t0");
    accepted.add("both\twhy\t*\t*.poll_cq\twcs[*].status\tREM_OP_ERR\tOTHER");

    assertThat(accepted.rulesFor(SCENARIO, List.of(before, cause, same, behind)))
        .containsOnlyKeys(cause, same, behind);
    assertThat(accepted.rulesFor(SCENARIO, List.of(before, behind))).isEmpty();
  }
}

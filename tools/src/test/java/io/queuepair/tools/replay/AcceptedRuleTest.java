package io.queuepair.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AcceptedRuleTest {
  private static final Difference DIFFERENCE =
      new Difference("rc_x_SEND", 7, "B.poll_cq", "wcs[0].status", "SUCCESS", "FATAL_ERR");

  private static boolean accepts(String rule) {
    return AcceptedRule.of(rule.replace(' ', '\t')).accepts(DIFFERENCE);
  }

  @ParameterizedTest
  @CsvSource({
    "both why rc_x_SEND 7 B.poll_cq wcs[0].status SUCCESS FATAL_ERR, true",
    "both why rc_* * *.poll_cq wcs[*].status SUCCESS FATAL_ERR, true",
    "'both why {ud_*,rc_*} * *.{poll_cq,mem} wcs[*].{opcode,status} SUCCESS FATAL_ERR', true",
    "both why rc_* * *.poll_cq wcs[*].status SUC?ESS FATAL_ERR, true",
    "both why ud_* * *.poll_cq wcs[*].status SUCCESS FATAL_ERR, false",
    "both why rc_* 8 *.poll_cq wcs[*].status SUCCESS FATAL_ERR, false",
    "both why rc_* * A.poll_cq wcs[*].status SUCCESS FATAL_ERR, false",
    "both why rc_* * *.poll_cq wcs[1].status SUCCESS FATAL_ERR, false",
    "both why rc_* * *.poll_cq wcs[*].status SUCCESS REM_OP_ERR, false",
    "both why rc_* * *.poll_cq wcs[*].status GENERAL_ERR FATAL_ERR, false",
    "both why rc_* * *.poll_cq wcs[*].status * FATAL_ERR, false",
  })
  void aRuleIsAsNarrowAsItIsWritten(String rule, boolean isAccepted) {
    assertThat(accepts(rule)).isEqualTo(isAccepted);
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
    AcceptedRule rule = AcceptedRule.of("both\twhy\t*\t*\t*\tcqe\t2^n-1\t*");

    assertThat(rule.accepts(new Difference("s", 1, "A.create_cq", "cqe", recorded, ours)))
        .isEqualTo(isAccepted);
  }

  @Test
  void aRuleWithoutAllColumnsIsRefused() {
    assertThatThrownBy(() -> AcceptedRule.of("both\twhy")).hasMessageContaining("8 columns, not 2");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

final class AckTimeoutCodeTest {
  private static int code(String given, Map<String, String> environment) {
    RangeChecks rangeChecks = new RangeChecks(new CommandLine(CommandSpec.create()));
    return AckTimeoutCode.code(rangeChecks, given, environment);
  }

  private static Map<String, String> environment(String value) {
    return Map.of("QUEUEPAIR_ACK_TIMEOUT", value);
  }

  @Test
  void theOptionGoesBeforeTheEnvironmentAndThatBeforeTheDefault() {
    assertThat(code("18", environment("x"))).isEqualTo(18);
    assertThat(code("0x1f", environment("0"))).isEqualTo(31);
    assertThat(code(null, environment("0"))).isZero();
    assertThat(code(null, environment(""))).isEqualTo(14);
    assertThat(code(null, Map.of())).isEqualTo(14);
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "32", "-1", "99999999999"})
  void whoeverIsWrongIsNamedWithTheLimit(String wrong) {
    assertThatThrownBy(() -> code(wrong, Map.of()))
        .isInstanceOf(ParameterException.class)
        .hasMessage("ACK timeout code " + wrong + " is not 0 to 31");
    assertThatThrownBy(() -> code(null, environment(wrong)))
        .isInstanceOf(ParameterException.class)
        .hasMessage("environment variable QUEUEPAIR_ACK_TIMEOUT=" + wrong + " is not 0 to 31");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SymbolsTest {
  private final Symbols symbols = new Symbols();

  @ParameterizedTest
  @CsvSource({
    "17, 17",
    "0x10, 16",
    "18446744073709551615, -1",
    "$B.mr.rkey, 0x1234",
    "$B.mr.rkey^0x34, 0x1200",
    "$B.mr.rkey&0xffffff00|0x42, 0x1242",
    "$B.mr.rkey+64, 0x1274",
    "$B.mr.rkey-4, 0x1230",
    "$B.mr.rkey|0x1000000, 0x1001234",
    "1+2^3, 0"
  })
  void expressionsAreComputedFromLeftToRight(String expression, String value) {
    symbols.define("$B.mr.rkey", 0x1234);

    assertThat(symbols.number(expression)).isEqualTo(Long.decode(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"+", "1+", "$", "$B", "1 + 2", "0x", "1*2", "18446744073709551616", "x"})
  void anythingElseIsNoValue(String expression) {
    assertThatThrownBy(() -> symbols.number(expression))
        .isInstanceOf(WrongCallException.class)
        .hasMessageContaining(expression.isEmpty() ? "value" : expression);
  }

  @Test
  void anObjectThatWasNotCreatedIsMissing() {
    assertThatThrownBy(() -> symbols.number("$A.qp.num+1"))
        .isInstanceOf(MissingObjectException.class)
        .hasMessage("no object $A.qp.num");
  }

  @Test
  void aGidHasANameOrIsAnAddress() {
    symbols.define("$B.gid1", new Gid(1, 2));

    assertThat(symbols.gid("$B.gid1")).isEqualTo(new Gid(1, 2));
    assertThat(symbols.gid("::ffff:192.0.2.5")).isEqualTo(new Gid(0, 0xffff_c000_0205L));
    assertThat(symbols.gid("fd00:99::5")).isEqualTo(new Gid(0xfd00_0099_0000_0000L, 5));
    assertThatThrownBy(() -> symbols.gid("localhost")).hasMessage("localhost is not a GID");
  }
}

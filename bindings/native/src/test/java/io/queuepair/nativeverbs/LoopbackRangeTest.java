// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The addresses that processes on one host try, one after the other. */
final class LoopbackRangeTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.2, 127.0.0.3",
    "127.1.2.255, 127.1.3.0",
    "127.255.255.254, 127.0.0.2",
    "127.0.0.1, 127.0.0.2"
  })
  void followEachOther(String address, String next) {
    assertThat(LoopbackRange.after(address)).isEqualTo(next);
  }

  @Test
  void areOfIpv4AndOfThisHost() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoopbackRange.after("192.0.2.1"))
        .withMessageContaining("192.0.2.1 is not a loopback address");
    assertThatIllegalArgumentException().isThrownBy(() -> LoopbackRange.after("::1"));
  }
}

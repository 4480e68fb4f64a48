// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.SendFlag;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flags of a send as {@code enum ibv_send_flags} of {@code verbs.h} has them. */
final class SendFlagMaskTest {
  @ParameterizedTest
  @CsvSource({"FENCE, 1", "SIGNALED, 2", "SOLICITED, 4", "INLINE, 8", "IP_CSUM, 16"})
  void eachFlagIsItsBit(SendFlag flag, int bit) {
    assertThat(SendRequests.maskOf(Set.of(flag))).isEqualTo(bit);
  }

  @Test
  void allTogetherAreAllBits() {
    assertThat(SendRequests.maskOf(EnumSet.allOf(SendFlag.class))).isEqualTo(31);
  }
}

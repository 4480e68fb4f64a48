// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.VerbsConstant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Numbers of C as constants: exactly, or leaving out what has none. */
final class VerbsConstantTest {
  @Test
  void exactFlagsAreThoseOfTheMask() {
    assertThat(VerbsConstant.exactFlags(SendFlag.class, 0b1010))
        .isEqualTo(EnumSet.of(SendFlag.SIGNALED, SendFlag.INLINE));
    assertThat(VerbsConstant.exactFlags(SendFlag.class, 0)).isEmpty();
    int all = VerbsConstant.mask(EnumSet.allOf(AccessFlag.class));
    assertThat(VerbsConstant.exactFlags(AccessFlag.class, all))
        .isEqualTo(EnumSet.allOf(AccessFlag.class));
  }

  @Test
  void exactFlagsRefuseEachBitWithoutAConstant() {
    for (long unknown : new long[] {1L << 10, 1L << 31, 1L << 32, 1L << 63, -1L << 40}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VerbsConstant.exactFlags(SendFlag.class, unknown | 2))
          .withMessage("0x" + Long.toHexString(unknown) + " is no SendFlag");
    }
  }

  @Test
  void exactFlagsCannotBeChanged() {
    Set<SendFlag> flags = VerbsConstant.exactFlags(SendFlag.class, 2);

    assertThatThrownBy(() -> flags.add(SendFlag.FENCE))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void flagsLeaveOutBitsWithoutAConstant() {
    assertThat(VerbsConstant.flags(SendFlag.class, 1 << 10 | 2))
        .isEqualTo(EnumSet.of(SendFlag.SIGNALED));
  }

  @Test
  void oneConstantIsFoundByItsNumber() {
    assertThat(VerbsConstant.of(Mtu.class, 3)).contains(Mtu.MTU_1024);
    assertThat(VerbsConstant.of(Mtu.class, 0)).isEmpty();
    assertThat(VerbsConstant.of(Mtu.class, 6)).isEmpty();
  }
}

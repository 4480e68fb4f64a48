// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.QpType;
import org.junit.jupiter.api.Test;

/** The connections that must go on working are out of reach of what is fired. */
final class ControlConnectionTest {
  /** A changed QPN in a datagram that was right otherwise led to it in episode 1016. */
  @Test
  void datagramsWithTheQKeyThatIsFiredWithAreNotForIt() {
    try (Emulator emulator = Emulator.inMemory()) {
      ControlConnection neighbour =
          new ControlConnection(emulator.addDevice("fd00::1").open(), QpType.UD);
      neighbour.connect(neighbour, 0);

      assertThat(neighbour.qp().query().qkey()).isNotEqualTo(QpConfig.QKEY);
    }
  }
}

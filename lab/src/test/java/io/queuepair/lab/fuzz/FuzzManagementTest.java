// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Hostile messages of the connection manager come to a program that listens. */
@Isolated("a fuzz run watches the heap of the process")
final class FuzzManagementTest {
  private static final int DATAGRAMS = 30_000;

  @Test
  void hostileRequestsAreTakenAndTheirConnectionsBeginAndEnd() {
    FuzzRun run = new FuzzRun(1, RegionFactory.FAITHFUL, false, UnaryOperator.identity());
    try {
      assertThat(run.run(DATAGRAMS)).isNull();
      assertThat(run.program().taken()).as("requests").isGreaterThan(100);
      assertThat(run.program().established()).as("established").isPositive();
      assertThat(run.program().ended()).as("ended").isPositive();
    } finally {
      run.close();
    }
  }
}

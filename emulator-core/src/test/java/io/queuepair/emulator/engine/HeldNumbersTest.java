// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A number that is kept from being used again is no queue pair: max_qp does not count it. */
final class HeldNumbersTest {
  private final EngineFixture engine = EngineFixture.ready();

  @Test
  void areNotCountedOnceTheirQueuePairsAreDestroyed() {
    for (int connections = 0; connections < 10; connections++) {
      assertThat(engine.queuePairs()).isOne();
      engine.holdQpn();
      engine.destroy();
      assertThat(engine.queuePairs()).isZero();
      engine.releaseQpn();
      assertThat(engine.queuePairs()).isZero();
      engine.createAnother();
    }
  }

  @Test
  void canBeReleasedBeforeTheirQueuePairsAreDestroyed() {
    engine.holdQpn();
    engine.releaseQpn();
    assertThat(engine.queuePairs()).isOne();

    engine.destroy();

    assertThat(engine.queuePairs()).isZero();
  }
}

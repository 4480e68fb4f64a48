// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import java.util.Random;

/** Work of the attacker with its queue pairs: one step, again and again. */
enum Attack {
  /** One READ at a time, of much memory, on one queue pair. Nothing is wrong with it. */
  READONE(1) {
    @Override
    void step(WireAttacker attacker) {
      if (attacker.isQuiet()) {
        attacker.readNext(0);
      }
    }
  },
  /** One READ on all queue pairs, requested again before it is answered. */
  READAMP(4) {
    @Override
    void step(WireAttacker attacker) {
      attacker.read(attacker.nextQueuePair(), 0);
    }
  },
  /** Such READs, asked for again from anywhere within them. */
  READDUP(32) {
    private final Random random = new Random(7);

    @Override
    void begin(WireAttacker attacker) {
      for (int i = 0; i < AttackedDevice.QUEUE_PAIRS; i++) {
        attacker.read(i, 0);
      }
    }

    @Override
    void step(WireAttacker attacker) {
      attacker.read(attacker.nextQueuePair(), random.nextInt(WireAttacker.READ_PACKETS));
    }
  },
  /** WRITEs on one queue pair, without looking at the answers. */
  WRITEFLOOD(32) {
    @Override
    void step(WireAttacker attacker) {
      attacker.writeNext(0);
    }
  },
  /** Datagrams of 64 KiB to a queue pair of type UD that takes none so large. */
  UDSTORM(8) {
    @Override
    void step(WireAttacker attacker) {
      attacker.sendDatagram();
    }
  };

  private final int stepsPerMillisecond;

  Attack(int stepsPerMillisecond) {
    this.stepsPerMillisecond = stepsPerMillisecond;
  }

  /** How many steps there are in a millisecond, at most. */
  int stepsPerMillisecond() {
    return stepsPerMillisecond;
  }

  /** Preparation before the first step. */
  void begin(WireAttacker attacker) {}

  abstract void step(WireAttacker attacker);
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * How a loop looks for packets before devices send on. One look brings little, so there are several
 * while devices wait: what they send then leaves together.
 */
final class ArrivalLooks {
  /** How often packets are looked for at most before devices send on. */
  static final int MAX_LOOKS = 8;

  private final IntSupplier look;
  private final BooleanSupplier devicesWait;

  /**
   * Remembers how to look.
   *
   * @param look takes what has arrived, without waiting, and returns how much it was
   * @param devicesWait whether a device waits until it may send on
   */
  ArrivalLooks(IntSupplier look, BooleanSupplier devicesWait) {
    this.look = look;
    this.devicesWait = devicesWait;
  }

  /**
   * Looks again as long as that brings something and devices wait.
   *
   * @param first what the first look has found
   * @return what all looks have found
   */
  int continueAfter(int first) {
    int looksLeft = MAX_LOOKS;
    int found = first;
    int last = first;
    while (last > 0 && devicesWait.getAsBoolean() && --looksLeft > 0) {
      last = look.getAsInt();
      found += last;
    }
    return found;
  }
}

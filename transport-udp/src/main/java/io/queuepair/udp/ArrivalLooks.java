// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/**
 * Polls the sockets several times before waiting devices send: one poll finds few packets, and the
 * answers to those of several polls leave together.
 */
final class ArrivalLooks {
  /** Most polls before the devices send. */
  static final int MAX_LOOKS = 8;

  private final IntSupplier look;
  private final BooleanSupplier devicesWait;

  /**
   * Makes a poller.
   *
   * @param look receives what has arrived, without blocking, and returns how much that was
   * @param devicesWait whether a device waits for its turn to send
   */
  ArrivalLooks(IntSupplier look, BooleanSupplier devicesWait) {
    this.look = look;
    this.devicesWait = devicesWait;
  }

  /**
   * Polls again while polls find something and devices wait, {@value #MAX_LOOKS} times at most.
   *
   * @param first what the first poll found
   * @return what all polls found
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

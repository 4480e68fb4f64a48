// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

/** Formats numbers with their noun: 1 packet, 2 packets. */
public final class Quantity {
  private Quantity() {}

  /**
   * A number with its noun.
   *
   * @param noun singular whose plural ends with s
   */
  public static String of(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}

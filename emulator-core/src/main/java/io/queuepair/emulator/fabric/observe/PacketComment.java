// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric.observe;

/**
 * The annotations of a packet.
 *
 * @param note why the device sends it, or null
 * @param fault what was done to it on purpose, or null
 */
public record PacketComment(String note, String fault) {
  /** Both as one text, or null if there is neither. */
  public String text() {
    if (note == null || note.equals(fault)) {
      return fault;
    }
    return fault == null ? note : note + "; " + fault;
  }
}

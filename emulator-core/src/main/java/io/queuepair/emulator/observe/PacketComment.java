// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import org.jspecify.annotations.Nullable;

/**
 * The annotations of a packet.
 *
 * @param note why the device sends it, or null
 * @param fault the injected fault, or null
 */
record PacketComment(@Nullable String note, @Nullable String fault) {
  /** Both as one text, or null if there is neither. */
  public @Nullable String text() {
    if (note == null || note.equals(fault)) {
      return fault;
    }
    return fault == null ? note : note + "; " + fault;
  }
}

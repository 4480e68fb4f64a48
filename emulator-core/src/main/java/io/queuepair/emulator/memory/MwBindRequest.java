// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.AccessFlag;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of a bind.
 *
 * @param newKey key that the window takes
 * @param region region to bind to; null to unbind
 * @param range bytes of the region; length 0 unbinds a window of type 1
 * @param access rights of peers
 */
public record MwBindRequest(
    MemoryWindowState window,
    int newKey,
    @Nullable RegisteredMemory region,
    MemoryRange range,
    Set<AccessFlag> access) {
  boolean isUnbind() {
    return region == null || range.length() == 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import io.queuepair.verbs.AccessFlag;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a bind.
 *
 * @param newKey key that the window takes
 * @param region what is to be opened; null for nothing
 * @param range which bytes of it; none of them closes a window of type 1
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

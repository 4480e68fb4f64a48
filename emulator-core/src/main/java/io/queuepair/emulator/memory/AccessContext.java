// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import org.jspecify.annotations.Nullable;

/**
 * Protection domain and queue pair of a remote access.
 *
 * @param domain protection domain
 * @param incarnation current incarnation of the queue pair; null for XRC_RECV, which has no send
 *     queue to bind a window of type 2 and may use all those of its domain
 */
public record AccessContext(int domain, @Nullable QpIncarnation incarnation) {
  /** Whether a window of type 2 that an incarnation has bound may be accessed. */
  boolean mayUseWindowOf(@Nullable QpIncarnation binder) {
    return incarnation == null || incarnation == binder;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.memory;

import org.jspecify.annotations.Nullable;

/**
 * The protection domain and queue pair of a remote access.
 *
 * @param domain protection domain
 * @param incarnation the queue pair, in its present life; null for the target of an XRC connection,
 *     to which windows of type 2 are open by their domain alone, as it has no send queue to bind
 *     one
 */
public record AccessContext(int domain, @Nullable QpIncarnation incarnation) {
  /** Whether a window of type 2 that was bound in a life is open to it. */
  boolean mayUseWindowOf(@Nullable QpIncarnation binder) {
    return incarnation == null || incarnation == binder;
  }
}

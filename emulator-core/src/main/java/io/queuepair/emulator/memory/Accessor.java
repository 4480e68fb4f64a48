package io.queuepair.emulator.memory;

/**
 * On whose behalf memory is accessed by a remote key.
 *
 * @param domain protection domain
 * @param life the queue pair, in its present life; null for the target of an XRC connection, to
 *     which windows of type 2 are open by their domain alone, as it has no send queue to bind one
 */
public record Accessor(int domain, QpLife life) {
  /** Whether a window of type 2 that was bound in a life is open to it. */
  boolean mayUseWindowOf(QpLife binder) {
    return life == null || life == binder;
  }
}

package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;

/**
 * Automatic path migration of one connection. Both ends load an alternate path and are set to
 * REARM; each arms itself when it hears from the other in that state, which says so by a MigReq bit
 * of 0. An armed end migrates when its retries are exhausted, when it is asked to, or when the
 * other end arrives by the alternate path with a MigReq bit of 1. (InfiniBand Architecture,
 * "Automatic Path Migration".)
 */
final class PathMigration {
  private final QpContext qp;

  /** Whether it was reported that the peer migrated when this end could not. */
  private boolean refusalIsReported;

  PathMigration(QpContext qp) {
    this.qp = qp;
  }

  QpContext qp() {
    return qp;
  }

  /** Whether a packet comes from the peer, by the path in use or one to migrate to now. */
  boolean accepts(Packet packet) {
    boolean peerMigrated = packet.isMigrated();
    if (qp.path().isOf(packet)) {
      if (!peerMigrated && state() == MigState.REARM && qp.alternate() != null) {
        qp.attributes().arm();
        refusalIsReported = false;
      }
      return true;
    }
    if (qp.alternate() == null || !qp.alternate().isOf(packet) || !peerMigrated) {
      return false;
    }
    if (state() != MigState.ARMED) {
      reportRefusal();
      return false;
    }
    migrate();
    return true;
  }

  private void reportRefusal() {
    if (!refusalIsReported) {
      qp.raise(EventType.PATH_MIG_ERR);
      refusalIsReported = true;
    }
  }

  private MigState state() {
    return qp.attributes().pathMigState();
  }

  /** Migrates if it may: there is one more way to try. */
  boolean migrateIfArmed() {
    boolean armed = state() == MigState.ARMED;
    if (armed) {
      migrate();
    }
    return armed;
  }

  private void migrate() {
    qp.migrate();
    qp.raise(EventType.PATH_MIG);
  }
}

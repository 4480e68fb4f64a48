package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.Path;
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

  /** The path that a packet claims to come by: the alternate one, or else that in use. */
  Path pathOf(Packet packet) {
    return isByAlternate(packet) ? qp.alternate() : qp.path();
  }

  /** Whether the peer has migrated to the alternate path, and says so. */
  private boolean isByAlternate(Packet packet) {
    return qp.alternate() != null
        && packet.isMigrated()
        && qp.alternate().isOf(packet)
        && !qp.path().isOf(packet);
  }

  /** Whether a packet comes from the peer, by the path in use or one to migrate to now. */
  boolean accepts(Packet packet) {
    return qp.path().isOf(packet) || (state() == MigState.ARMED && isByAlternate(packet));
  }

  /** Follows the peer, as an accepted packet shows its state: arms itself, or migrates. */
  void follow(Packet accepted) {
    if (qp.alternate() == null) {
      return;
    }
    if (isByAlternate(accepted)) {
      migrate();
    } else if (!accepted.isMigrated() && state() == MigState.REARM) {
      qp.attributes().arm();
      refusalIsReported = false;
    }
  }

  /** Reports, once, that the peer migrated when this end could not. */
  void noteRefused(Packet refused) {
    if (isByAlternate(refused)) {
      reportRefusal();
    }
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;
import org.jspecify.annotations.Nullable;

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

  public PathMigration(QpContext qp) {
    this.qp = qp;
  }

  public QpContext qp() {
    return qp;
  }

  /** The path that a packet claims to come by: the alternate one, or else that in use. */
  public @Nullable NetworkPath pathOf(Packet packet) {
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
  public boolean accepts(Packet packet) {
    // Rule migration.follow-peer: An armed end follows a peer that arrives by the alternate path
    // with a MigReq bit of 1.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: EnginePathMigrationTest.aPeerThatMigratedTakesUsAlong
    return qp.path().isOf(packet) || (state() == MigState.ARMED && isByAlternate(packet));
  }

  /** Follows the peer, as an accepted packet shows its state: arms itself, or migrates. */
  public void follow(Packet packet) {
    // Rule migration.arm: An end in REARM arms itself when its peer says that it is there too, with
    // a MigReq bit of 0.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: EnginePathMigrationTest.aPeerThatIsReadyArmsUs
    if (qp.alternate() == null) {
      return;
    }
    if (isByAlternate(packet)) {
      migrate();
    } else if (!packet.isMigrated() && state() == MigState.REARM) {
      qp.attributes().arm();
      refusalIsReported = false;
    }
  }

  /** Reports, once, that the peer migrated when this end could not. */
  public void noteRefused(Packet packet) {
    // Rule migration.too-early: PATH_MIG_ERR, once, if the peer migrates before this end is armed.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: EnginePathMigrationTest.aPeerThatMigratedTooEarlyIsReportedOnce
    if (isByAlternate(packet)) {
      reportRefusal();
    }
  }

  private void reportRefusal() {
    if (!refusalIsReported) {
      qp.raise(EventType.PATH_MIG_ERR);
      refusalIsReported = true;
    }
  }

  private @Nullable MigState state() {
    return qp.attributes().pathMigState();
  }

  /** Migrates if it may: there is one more way to try. */
  public boolean migrateIfArmed() {
    // Rule migration.exhausted: An armed end migrates when its retries are exhausted, or when it is
    // asked to.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: PathMigrationTest.migratesWhenRetriesAreExhausted
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

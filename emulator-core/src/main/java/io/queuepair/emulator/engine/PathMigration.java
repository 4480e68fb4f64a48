// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;
import org.jspecify.annotations.Nullable;

/**
 * Automatic path migration (APM) of one connection. Both ends load an alternate path and enter
 * REARM. An end in REARM becomes ARMED when a packet of the peer has a MigReq bit of 0. An ARMED
 * end migrates when its retries are exhausted, when a verb asks for it, or when a packet of the
 * peer arrives by the alternate path with a MigReq bit of 1. (InfiniBand Architecture, "Automatic
 * Path Migration".)
 */
final class PathMigration {
  private final QpContext qp;

  /** Whether PATH_MIG_ERR was raised since this end was last armed. */
  private boolean refusalIsReported;

  public PathMigration(QpContext qp) {
    this.qp = qp;
  }

  public QpContext qp() {
    return qp;
  }

  /** Forgets what the last connection reported. */
  void reset() {
    refusalIsReported = false;
  }

  /** Alternate path if the packet arrived by it after a migration, otherwise the path in use. */
  public @Nullable NetworkPath pathOf(Packet packet) {
    return isByAlternate(packet) ? qp.alternate() : qp.path();
  }

  /** Whether a packet arrived by the alternate path with a MigReq bit of 1. */
  private boolean isByAlternate(Packet packet) {
    return qp.alternate() != null
        && packet.isMigrated()
        && qp.alternate().isOf(packet)
        && !qp.path().isOf(packet);
  }

  /** Whether a packet arrived by the path in use, or by an armed alternate path. */
  public boolean accepts(Packet packet) {
    // Rule migration.follow-peer: An armed end follows a peer that arrives by the alternate path
    // with a MigReq bit of 1.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: EnginePathMigrationTest.aPeerThatMigratedTakesUsAlong
    return qp.path().isOf(packet) || (state() == MigState.ARMED && isByAlternate(packet));
  }

  /** Arms this end, or migrates, according to the MigReq bit and path of an accepted packet. */
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

  /** Raises PATH_MIG_ERR once if the peer has migrated and this end is not ARMED. */
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

  /** Migrates, if this end is ARMED; Linux lets a program say so without an alternate path. */
  public boolean migrateIfArmed() {
    // Rule migration.exhausted: An armed end migrates when its retries are exhausted, or when it is
    // asked to.
    // Source: IBTA vol. 1, Automatic Path Migration
    // Test: PathMigrationTest.migratesWhenRetriesAreExhausted
    boolean mayMigrate = state() == MigState.ARMED && qp.alternate() != null;
    if (mayMigrate) {
      migrate();
    }
    return mayMigrate;
  }

  private void migrate() {
    qp.migrate();
    qp.raise(EventType.PATH_MIG);
  }
}

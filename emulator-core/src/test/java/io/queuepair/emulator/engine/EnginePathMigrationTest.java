// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import static io.queuepair.emulator.engine.EngineFixture.OWN_PSN;
import static io.queuepair.emulator.engine.EngineFixture.PEER_PSN;
import static io.queuepair.emulator.engine.EngineFixture.SECOND_PKEY;
import static io.queuepair.emulator.engine.EngineFixture.TIMEOUT_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendWr;
import org.junit.jupiter.api.Test;

/** Packets of a peer that migrates, and the migration bit of those that leave. */
final class EnginePathMigrationTest {
  private final EngineFixture us = EngineFixture.ready();

  private void receiveOverPrimary(int psn, boolean migrated) {
    us.deliver(withMigReq(us.peer().sendOnly(psn, new byte[0]), migrated));
  }

  private void receiveOverAlternate(int psn, boolean migrated) {
    us.deliver(withMigReq(us.peerByAlternate().sendOnly(psn, new byte[0]), migrated));
  }

  private static Packet withMigReq(Packet packet, boolean migrated) {
    return with(packet, migrated, packet.bth().pkey());
  }

  private static Packet with(Packet packet, boolean migrated, int pkey) {
    return packet.with(packet.bth().withMigrated(migrated).withPkey(pkey)).copy();
  }

  /** With an alternate path, and not yet armed. */
  private void rearm() {
    us.loadAlternate();
    us.rearm();
  }

  @Test
  void aPeerThatIsReadyArmsUs() {
    rearm();

    receiveOverPrimary(PEER_PSN, false);

    assertThat(us.migration()).isEqualTo(MigState.ARMED);
  }

  @Test
  void soDoesItsAcknowledgement() {
    rearm();
    us.run("send 7");

    us.deliver(withMigReq(us.peer().ack(OWN_PSN, 1), false));

    assertThat(us.migration()).isEqualTo(MigState.ARMED);
  }

  @Test
  void aPeerThatIsNotReadyDoesNot() {
    rearm();

    receiveOverPrimary(PEER_PSN, true);

    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  @Test
  void withoutAlternatePathNobodyIsArmed() {
    us.rearm();

    receiveOverPrimary(PEER_PSN, false);

    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  @Test
  void aPeerThatMigratedTakesUsAlong() {
    rearm();
    us.postReceive(1);
    us.postReceive(2);
    receiveOverPrimary(PEER_PSN, false);

    receiveOverAlternate(PEER_PSN + 1, true);

    assertThat(us.migration()).isEqualTo(MigState.MIGRATED);
    assertThat(us.events()).containsExactly(EventType.PATH_MIG);
    assertThat(us.receives()).containsExactly("1 RECV 0", "2 RECV 0");
  }

  @Test
  void aPeerThatMigratedTooEarlyIsReportedOnce() {
    rearm();

    receiveOverAlternate(PEER_PSN, true);
    receiveOverAlternate(PEER_PSN, true);

    assertThat(us.events()).containsExactly(EventType.PATH_MIG_ERR);
    assertThat(us.drops(DropReason.WRONG_PEER)).isEqualTo(2);
    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  @Test
  void aPacketOnTheAlternatePathThatDoesNotAskIsDropped() {
    rearm();
    receiveOverPrimary(PEER_PSN, false);

    receiveOverAlternate(PEER_PSN, false);

    assertThat(us.events()).isEmpty();
    assertThat(us.drops(DropReason.WRONG_PEER)).isOne();
    assertThat(us.migration()).isEqualTo(MigState.ARMED);
  }

  @Test
  void aPacketOfAnotherPartitionTakesNobodyAlong() {
    rearm();
    receiveOverPrimary(PEER_PSN, false);

    us.deliver(with(us.peerByAlternate().sendOnly(PEER_PSN, new byte[0]), true, 0x8001));

    assertThat(us.migration()).isEqualTo(MigState.ARMED);
    assertThat(us.events()).isEmpty();
    assertThat(us.drops(DropReason.BAD_PKEY)).isOne();
  }

  @Test
  void aPacketOfAnotherPartitionArmsNobodyAndIsNotReported() {
    rearm();

    us.deliver(with(us.peer().sendOnly(PEER_PSN, new byte[0]), false, 0x8001));
    us.deliver(with(us.peerByAlternate().sendOnly(PEER_PSN, new byte[0]), true, 0x8001));

    assertThat(us.migration()).isEqualTo(MigState.REARM);
    assertThat(us.events()).isEmpty();
    assertThat(us.drops(DropReason.BAD_PKEY)).isEqualTo(2);
  }

  @Test
  void aPacketOnTheAlternatePathNeedsThePkeyOfThatPath() {
    us.loadAlternate(1);
    us.rearm();
    receiveOverPrimary(PEER_PSN, false);
    Packet migrated = us.peerByAlternate().sendOnly(PEER_PSN, new byte[0]);

    us.deliver(with(migrated, true, PartitionKey.DEFAULT));
    assertThat(us.drops(DropReason.BAD_PKEY)).isOne();
    assertThat(us.migration()).isEqualTo(MigState.ARMED);

    us.deliver(with(migrated, true, SECOND_PKEY));
    assertThat(us.migration()).isEqualTo(MigState.MIGRATED);
    assertThat(us.attributes().pkeyIndex()).isOne();
  }

  @Test
  void aPeerThatMigratedTooEarlyIsReportedAgainOnceThisEndWasArmed() {
    rearm();
    receiveOverAlternate(PEER_PSN, true);
    receiveOverPrimary(PEER_PSN, false);
    receiveOverAlternate(PEER_PSN, true);
    assertThat(us.events()).containsExactly(EventType.PATH_MIG_ERR, EventType.PATH_MIG);
    us.loadFirstPathAsAlternate();
    us.rearm();

    receiveOverPrimary(PEER_PSN, true);

    assertThat(us.events()).containsExactly(EventType.PATH_MIG_ERR);
    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  @Test
  void aPeerThatMigratedTooEarlyIsReportedForEachConnection() {
    rearm();
    receiveOverAlternate(PEER_PSN, true);
    us.events();
    us.run("reset; connect");
    rearm();

    receiveOverAlternate(PEER_PSN, true);

    assertThat(us.events()).containsExactly(EventType.PATH_MIG_ERR);
  }

  @Test
  void afterResetThereIsNoAlternatePath() {
    rearm();
    us.run("reset; connect");
    us.rearm();

    receiveOverPrimary(PEER_PSN, false);

    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  /** The path that it left may be broken: a new one is to be loaded. */
  @Test
  void afterAMigrationThereIsNoAlternatePath() {
    rearm();
    receiveOverPrimary(PEER_PSN, false);
    receiveOverAlternate(PEER_PSN, true);
    us.rearm();

    receiveOverAlternate(PEER_PSN, false);

    assertThat(us.attributes().altPath()).isNull();
    assertThat(us.migration()).isEqualTo(MigState.REARM);
  }

  @Test
  void aPacketOnThePathInUseMigratesNobodyThoughTheAlternateIsTheSame() {
    us.loadFirstPathAsAlternate();
    us.rearm();

    receiveOverPrimary(PEER_PSN, true);

    assertThat(us.migration()).isEqualTo(MigState.REARM);
    assertThat(us.events()).isEmpty();
  }

  @Test
  void retriesThatAreExhaustedMigrateNobodyWhoIsNotArmed() {
    rearm();
    us.run("send 7; timeout 3");

    assertThat(us.sends()).containsExactly("7 RETRY_EXC_ERR");
    assertThat(us.migration()).isEqualTo(MigState.REARM);
    assertThat(us.events()).isEmpty();
  }

  /** Linux takes any migration state, and has no path migration for RoCE. */
  @Test
  void armedByAProgramWithoutAnAlternatePathNobodyMigrates() {
    us.armWithoutPath();
    us.migrate();
    us.run("send 7; timeout 3");

    assertThat(us.sends()).containsExactly("7 RETRY_EXC_ERR");
    assertThat(us.events()).isEmpty();
  }

  /** Two retries, the migration, and two more: the path is new, and so are its retries. */
  @Test
  void allRetriesAreThereAgainOnTheNewPath() {
    rearm();
    us.postReceive(1);
    receiveOverPrimary(PEER_PSN, false);
    us.transmit();
    us.post(SendWr.send(7));
    us.transmit();

    assertThat(us.elapse(2 * TIMEOUT_NANOS)).hasSize(2);
    assertThat(us.migration()).isEqualTo(MigState.ARMED);
    assertThat(us.elapse(TIMEOUT_NANOS)).hasSize(1);
    assertThat(us.migration()).isEqualTo(MigState.MIGRATED);
    assertThat(us.elapse(2 * TIMEOUT_NANOS)).hasSize(2);
    assertThat(us.state()).isEqualTo(QpState.RTS);
    assertThat(us.elapse(TIMEOUT_NANOS)).isEmpty();
    assertThat(us.sends()).containsExactly("7 RETRY_EXC_ERR");
  }
}

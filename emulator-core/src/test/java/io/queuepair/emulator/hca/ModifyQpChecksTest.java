// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.engine.EngineFixture;
import io.queuepair.emulator.engine.Offloads;
import io.queuepair.emulator.engine.QpContext;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.CqModerator;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** States and types that no call can bring about yet, and devices that can do less. */
final class ModifyQpChecksTest {
  private static final Gid OWN = new Gid(0, 0xffff_0a00_0001L);
  private static final Gid PEER = new Gid(0, 0xffff_0a00_0002L);
  private static final DeviceProfile STANDARD = DeviceProfile.standard();

  private static QpContext queuePair(QpType type, QpState state) {
    CompletionRing ring =
        new CompletionRing(1, false, new CqModerator(), new ArrayDeque<>(), event -> {});
    QpContext qp = EngineFixture.context(type, ring, null, Offloads.NONE);
    QpAttr attr = new QpAttr().portNum(1);
    qp.attributes().apply(attr, attr.mask());
    qp.enter(state);
    return qp;
  }

  private static QpContext draining() {
    QpContext qp = queuePair(QpType.RC, QpState.SQD);
    qp.setDraining(true);
    return qp;
  }

  /** Ports of a device whose peer is on the same network; the second has a smaller MTU. */
  private static Ports ports(DeviceProfile profile) {
    InMemoryFabric fabric = InMemoryFabric.virtualTime();
    Recorder.at(fabric, OWN.toAddress());
    Recorder.at(fabric, PEER.toAddress());
    List<InetAddress> addresses = List.of(OWN.toAddress());
    int largestBytes = fabric.mtuBytes(OWN.toAddress());
    Port first = new Port(profile, 1, addresses, fabric, largestBytes);
    if (profile.ports() == 1) {
      return new Ports(profile, List.of(first));
    }
    Port second = new Port(profile, 2, addresses, fabric, largestBytes);
    second.setMtu("ibv_query_port", Mtu.MTU_1024.bytes() + 80);
    return new Ports(profile, List.of(first, second));
  }

  private static Set<QpAttrMask> check(QpContext qp, QpAttr attr, DeviceProfile profile) {
    return ModifyQpChecks.check(qp, attr, attr.mask(), ports(profile));
  }

  private static void assertRefused(
      QpContext qp, QpAttr attr, DeviceProfile profile, String sentence) {
    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> check(qp, attr, profile));

    assertThat(refusal).hasMessage("ibv_modify_qp: EINVAL: " + sentence);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
  }

  @ParameterizedTest
  @EnumSource(names = {"UC", "UD", "RAW_PACKET"})
  void leavesTheSendQueueErrorForRts(QpType type) {
    QpAttr attr = QpAttr.to(QpState.RTS);

    assertThat(check(queuePair(type, QpState.SQE), attr, STANDARD)).isEqualTo(attr.mask());
  }

  @Test
  void leavesTheSendQueueErrorOnlyForRtsResetOrError() {
    QpContext qp = queuePair(QpType.UD, QpState.SQE);

    for (QpState to : EnumSet.of(QpState.INIT, QpState.RTR, QpState.SQD, QpState.SQE)) {
      assertRefused(
          qp,
          QpAttr.to(to),
          STANDARD,
          "SQE -> " + to + " (UD) is not a transition that can be asked for");
    }
    check(qp, QpAttr.to(QpState.RESET), STANDARD);
    check(qp, QpAttr.to(QpState.ERR), STANDARD);
  }

  @Test
  void drainingEndsEarlyOnlyInResetAndError() {
    String reason = "sends that have started are still being finished (SQ_DRAINED tells)";

    assertRefused(draining(), QpAttr.to(QpState.RTS), STANDARD, "SQD -> RTS (RC): " + reason);
    assertRefused(draining(), QpAttr.to(QpState.SQD), STANDARD, "SQD -> SQD (RC): " + reason);
    assertRefused(draining(), new QpAttr().timeout(1), STANDARD, "SQD -> SQD (RC): " + reason);
    check(draining(), QpAttr.to(QpState.RESET), STANDARD);
    check(draining(), QpAttr.to(QpState.ERR), STANDARD);
    check(draining(), new QpAttr(), STANDARD);
  }

  @Test
  void drainingOfSoftRoceEndsEarlyOnlyInError() {
    DeviceProfile softRoce = DeviceProfile.softRoce();
    String reason = "sends that have started are still being finished (SQ_DRAINED tells)";

    assertRefused(draining(), QpAttr.to(QpState.RESET), softRoce, "SQD -> RESET (RC): " + reason);
    assertRefused(draining(), QpAttr.to(QpState.RTS), softRoce, "SQD -> RTS (RC): " + reason);
    check(draining(), QpAttr.to(QpState.ERR), softRoce);
    check(draining(), new QpAttr().timeout(1), softRoce);
  }

  @Test
  void anAddressVectorBringsItsPortOnSoftRoce() {
    QpAttr attr = QpAttr.to(QpState.SQD).ahAttr(AhAttr.to(PEER));

    assertThat(check(queuePair(QpType.UC, QpState.SQD), attr, STANDARD)).isEqualTo(attr.mask());
    assertThat(check(queuePair(QpType.RC, QpState.SQD), attr, DeviceProfile.softRoce()))
        .isEqualTo(attr.mask());
    assertRefused(
        queuePair(QpType.UC, QpState.SQD),
        attr,
        DeviceProfile.softRoce(),
        "SQD -> SQD (UC) does not allow PORT");
  }

  @Test
  void ignoresWhatAnXrcTypeHasNoUseFor() {
    QpAttr attr =
        new QpAttr()
            .minRnrTimer(99)
            .maxDestRdAtomic(999)
            .maxRdAtomic(1)
            .retryCnt(2)
            .rnrRetry(3)
            .timeout(4);

    assertThat(check(queuePair(QpType.XRC_SEND, QpState.SQD), attr, STANDARD))
        .containsExactly(
            QpAttrMask.TIMEOUT,
            QpAttrMask.RETRY_CNT,
            QpAttrMask.RNR_RETRY,
            QpAttrMask.MAX_QP_RD_ATOMIC);
    attr.minRnrTimer(1).maxDestRdAtomic(1).retryCnt(99).rnrRetry(99);
    assertThat(check(queuePair(QpType.XRC_RECV, QpState.SQD), attr, STANDARD))
        .containsExactly(
            QpAttrMask.TIMEOUT, QpAttrMask.MIN_RNR_TIMER, QpAttrMask.MAX_DEST_RD_ATOMIC);
  }

  @Test
  void aDeviceThatCannotMigrateSaysSo() {
    DeviceProfile fixed = STANDARD.without(DeviceCapFlag.AUTO_PATH_MIG);
    QpAttr attr = new QpAttr().altPath(null).pathMigState(MigState.REARM);

    assertRefused(
        queuePair(QpType.RC, QpState.RTS),
        attr,
        fixed,
        "RTS -> RTS (RC): ALT_PATH needs a device with path migration (AUTO_PATH_MIG);"
            + " PATH_MIG_STATE needs a device with path migration (AUTO_PATH_MIG)");
  }

  @Test
  void softwareMigratesAnArmedQueuePairInRts() {
    QpContext qp = queuePair(QpType.RC, QpState.RTS);
    QpAttr armed = new QpAttr().pathMigState(MigState.ARMED);
    qp.attributes().apply(armed, armed.mask());
    QpAttr migrated = new QpAttr().pathMigState(MigState.MIGRATED);

    check(qp, migrated, STANDARD);
    assertRefused(
        qp,
        new QpAttr().pathMigState(MigState.REARM),
        STANDARD,
        "RTS -> RTS (RC): PATH_MIG_STATE cannot be changed from ARMED to REARM in RTS");
    qp.enter(QpState.SQD);
    assertRefused(
        qp,
        migrated,
        STANDARD,
        "SQD -> SQD (RC): PATH_MIG_STATE cannot be changed from ARMED to MIGRATED in SQD");
  }

  @Test
  void aDeviceThatCannotResizeSaysSo() {
    assertRefused(
        queuePair(QpType.UD, QpState.RTS),
        new QpAttr().cap(QpCap.of(8)),
        STANDARD.without(DeviceCapFlag.RESIZE_MAX_WR),
        "RTS -> RTS (UD): CAP needs a device that resizes queues (RESIZE_MAX_WR)");
  }

  @Test
  void aDeviceThatCannotChangePortsSaysSo() {
    QpAttr attr = new QpAttr().portNum(2).ahAttr(AhAttr.to(PEER).fromPort(2));
    QpContext qp = queuePair(QpType.RC, QpState.SQD);

    check(qp, attr, STANDARD);
    assertRefused(
        qp,
        attr,
        STANDARD.without(DeviceCapFlag.CHANGE_PHY_PORT),
        "SQD -> SQD (RC): PORT cannot change in SQD on this device (CHANGE_PHY_PORT)");
    assertRefused(
        qp, new QpAttr().portNum(2), STANDARD, "SQD -> SQD (RC): PORT 2 needs an AV of that port");
  }

  @Test
  void aBelievedStateTakesThePlaceOfTheRealOne() {
    QpAttr attr = QpAttr.to(QpState.RTS).curQpState(QpState.SQE);
    QpContext qp = queuePair(QpType.UD, QpState.ERR);

    check(qp, attr, DeviceProfile.softRoce());
    assertRefused(
        qp,
        attr,
        STANDARD,
        "ERR -> RTS (UD) is not a transition that can be asked for;"
            + " CUR_STATE says SQE, but the queue pair is in ERR");
  }

  @Test
  void eachQuirkWorksAlone() {
    QpContext qp = queuePair(QpType.RC, QpState.RTR);
    DeviceProfile checksNothing = STANDARD.with(Quirk.EMPTY_MASK_CHECKED);

    check(qp, new QpAttr(), STANDARD);
    assertRefused(
        qp,
        new QpAttr(),
        checksNothing,
        "RTR -> RTR (RC) is not a transition that can be asked for");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A refused modify says everything that is wrong in one sentence, and changes nothing. */
final class QpRefusalTest {
  private static final Gid PEER = new Gid(0, 0xffff_0a00_0002L);

  @AutoClose private final QpFixture bench = QpFixture.standard();

  private static void assertRefused(
      QueuePair qp, QpAttr attr, Set<QpAttrMask> mask, String sentence) {
    String before = qp.query().toString();

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> qp.modify(attr, mask));

    assertThat(refusal).hasMessage("ibv_modify_qp: EINVAL: " + sentence);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(qp.query()).hasToString(before);
  }

  private static AhAttr via(GlobalRoute route) {
    return new AhAttr(route, 0, 1);
  }

  static Stream<Arguments> addresses() {
    AhAttr good = AhAttr.to(PEER);
    Gid v6 = new Gid(0xfd00_0000_0000_0000L, 1);
    Gid group = new Gid(0, 0xffff_ef01_0203L);
    return Stream.of(
        Arguments.of(good.fromPort(0), "port 0 is not 1 to 2"),
        Arguments.of(good.fromPort(3), "port 3 is not 1 to 2"),
        Arguments.of(new AhAttr(null, 0, 1), "has no global route, which RoCE requires"),
        Arguments.of(new AhAttr(good.grh(), 16, 1), "service level 16 is not 0 to 15"),
        Arguments.of(via(GlobalRoute.to(PEER, 16)), "GID index 16 is not 0 to 15"),
        Arguments.of(via(GlobalRoute.to(PEER, -1)), "GID index -1 is not 0 to 15"),
        Arguments.of(via(GlobalRoute.to(PEER, 1)), "GID index 1 is an empty slot of port 1"),
        Arguments.of(AhAttr.to(Gid.ZERO), "has no destination GID"),
        Arguments.of(AhAttr.to(null), "has no destination GID"),
        Arguments.of(AhAttr.to(group), "destination " + group + " is a multicast group"),
        Arguments.of(
            AhAttr.to(v6),
            "mixes IPv4 and IPv6: own GID 0000:0000:0000:0000:0000:ffff:0a00:0001, peer's " + v6),
        Arguments.of(
            via(new GlobalRoute(PEER, 1 << 20, 0, 64, 0)),
            "flow label 1048576 has more than 20 bits"),
        Arguments.of(via(new GlobalRoute(PEER, 0, 0, 256, 0)), "hop limit 256 is not 0 to 255"),
        Arguments.of(
            via(new GlobalRoute(PEER, 0, 0, 64, 256)), "traffic class 256 is not 0 to 255"));
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void saysWhatIsWrongWithAnAddressVector(AhAttr address, String objection) {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.INIT);
    QpAttr attr = bench.valid(QpState.INIT, QpState.RTR).ahAttr(address);
    Set<QpAttrMask> mask = TransitionRule.of(QpType.RC, QpState.INIT, QpState.RTR).mask();

    assertRefused(qp, attr, mask, "INIT -> RTR (RC): AV " + objection);
  }

  @ParameterizedTest
  @MethodSource("addresses")
  void saysWhatIsWrongWithAnAlternatePath(AhAttr address, String objection) {
    QueuePair qp = bench.queuePairIn(QpType.UC, QpState.RTS);
    int port = Math.max(1, Math.min(2, address.portNum()));
    QpAttr attr = new QpAttr().altPath(new AlternatePath(address, 0, port, 0));

    assertRefused(qp, attr, attr.mask(), "RTS -> RTS (UC): ALT_PATH " + objection);
  }

  private static Arguments on(QpState from, String name, UnaryOperator<QpAttr> change) {
    return Arguments.of(from, name, change);
  }

  static Stream<Arguments> outOfRange() {
    return Stream.of(
        on(QpState.RESET, "PORT", attr -> attr.portNum(0)),
        on(QpState.RESET, "PORT", attr -> attr.portNum(3)),
        on(QpState.RESET, "PKEY_INDEX", attr -> attr.pkeyIndex(1)),
        on(QpState.RESET, "PKEY_INDEX", attr -> attr.pkeyIndex(16)),
        on(QpState.RESET, "PKEY_INDEX", attr -> attr.pkeyIndex(-1)),
        on(QpState.INIT, "MIN_RNR_TIMER", attr -> attr.minRnrTimer(32)),
        on(QpState.INIT, "MIN_RNR_TIMER", attr -> attr.minRnrTimer(-1)),
        on(QpState.INIT, "MAX_DEST_RD_ATOMIC", attr -> attr.maxDestRdAtomic(129)),
        on(QpState.INIT, "MAX_DEST_RD_ATOMIC", attr -> attr.maxDestRdAtomic(-1)),
        on(QpState.INIT, "PATH_MTU", attr -> attr.pathMtu(null)),
        on(QpState.INIT, "DEST_QPN", attr -> attr.destQpNum(1 << 24)),
        on(QpState.INIT, "AV", attr -> attr.ahAttr(null)),
        on(QpState.RTR, "TIMEOUT", attr -> attr.timeout(32)),
        on(QpState.RTR, "TIMEOUT", attr -> attr.timeout(-1)),
        on(QpState.RTR, "RETRY_CNT", attr -> attr.retryCnt(8)),
        on(QpState.RTR, "RETRY_CNT", attr -> attr.retryCnt(-1)),
        on(QpState.RTR, "RNR_RETRY", attr -> attr.rnrRetry(8)),
        on(QpState.RTR, "RNR_RETRY", attr -> attr.rnrRetry(-1)),
        on(QpState.RTR, "MAX_QP_RD_ATOMIC", attr -> attr.maxRdAtomic(129)),
        on(QpState.RTR, "MAX_QP_RD_ATOMIC", attr -> attr.maxRdAtomic(-1)));
  }

  @ParameterizedTest
  @MethodSource("outOfRange")
  void refusesValuesOutOfRange(QpState from, String name, UnaryOperator<QpAttr> change) {
    QueuePair qp = bench.queuePairIn(QpType.RC, from);
    String before = qp.query().toString();

    assertThatThrownBy(() -> bench.modify(qp, from, change))
        .hasMessageStartingWith("ibv_modify_qp: EINVAL: ")
        .hasMessageContaining("(RC): " + name);
    assertThat(qp.query()).hasToString(before);
  }

  static Stream<Arguments> endsOfRanges() {
    return Stream.of(
        on(QpState.RESET, "last slot", attr -> attr.portNum(2)),
        on(QpState.INIT, "largest", attr -> attr.minRnrTimer(31).maxDestRdAtomic(128)),
        on(QpState.INIT, "zero", attr -> attr.minRnrTimer(0).maxDestRdAtomic(0)),
        on(QpState.RTR, "TIMEOUT", attr -> attr.timeout(31)),
        on(QpState.RTR, "counts", attr -> attr.retryCnt(7).rnrRetry(7).maxRdAtomic(128)),
        on(QpState.RTR, "zero", attr -> attr.timeout(0).retryCnt(0).rnrRetry(0).maxRdAtomic(0)));
  }

  @ParameterizedTest
  @MethodSource("endsOfRanges")
  void takesTheEndsOfRanges(QpState from, String name, UnaryOperator<QpAttr> change) {
    QueuePair qp = bench.queuePairIn(QpType.RC, from);

    bench.modify(qp, from, change);

    assertThat(qp.query().qpState()).as(name).isGreaterThan(from);
  }

  @Test
  void cutsPsnsTo24Bits() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.INIT);

    bench.modify(qp, QpState.INIT, attr -> attr.rqPsn(0x7fff_fffe));
    bench.modify(qp, QpState.RTR, attr -> attr.sqPsn(0x0100_0005));

    assertThat(qp.query().rqPsn()).isEqualTo(0xff_fffe);
    assertThat(qp.query().sqPsn()).isEqualTo(5);
  }

  @Test
  void saysWhatIsWrongBesidesTheAddressOfAnAlternatePath() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    QpAttr attr = new QpAttr().altPath(new AlternatePath(AhAttr.to(PEER), 16, 3, 32));

    assertRefused(
        qp,
        attr,
        attr.mask(),
        "RTS -> RTS (RC): ALT_PATH port 3 is not 1 to 2; ALT_PATH port 1 is not the port 3;"
            + " ALT_PATH timeout 32 is not 0 to 31; ALT_PATH P_Key index 16 is not 0 to 15");
  }

  @Test
  void theAddressMustBeOfThePortOfTheQueuePair() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.INIT);
    QpAttr attr = bench.valid(QpState.INIT, QpState.RTR).ahAttr(AhAttr.to(PEER).fromPort(2));
    Set<QpAttrMask> mask = TransitionRule.of(QpType.RC, QpState.INIT, QpState.RTR).mask();

    assertRefused(qp, attr, mask, "INIT -> RTR (RC): AV port 2 is not the port 1");
  }

  @Test
  void rightsOfMemoryAreNoneOfAQueuePair() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    QpAttr attr = new QpAttr().qpAccessFlags(AccessFlag.ZERO_BASED, AccessFlag.REMOTE_READ);

    assertRefused(
        qp,
        attr,
        attr.mask(),
        "RTS -> RTS (RC): ACCESS_FLAGS [ZERO_BASED] are rights of memory only");
  }

  @Test
  void theDeviceArmsMigrationItself() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    QpAttr migrated = new QpAttr().pathMigState(MigState.MIGRATED);
    QpAttr rearm = new QpAttr().pathMigState(MigState.REARM);
    QpAttr armed = new QpAttr().pathMigState(MigState.ARMED);

    qp.modify(migrated);
    assertRefused(
        qp,
        armed,
        armed.mask(),
        "RTS -> RTS (RC): PATH_MIG_STATE cannot be changed from MIGRATED to ARMED in RTS");
    qp.modify(rearm);
    qp.modify(rearm);
    assertRefused(
        qp,
        migrated,
        migrated.mask(),
        "RTS -> RTS (RC): PATH_MIG_STATE cannot be changed from REARM to MIGRATED in RTS");
  }

  @Test
  void attributesThatWereNeverSetAreZeroOrRefused() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.SQD);
    QpAttr nothing = new QpAttr();

    assertRefused(
        qp,
        nothing,
        EnumSet.allOf(QpAttrMask.class),
        "SQD -> RESET (RC) does not allow CUR_STATE, EN_SQD_ASYNC_NOTIFY, ACCESS_FLAGS, PKEY_INDEX,"
            + " PORT, QKEY, AV, PATH_MTU, TIMEOUT, RETRY_CNT, RNR_RETRY, RQ_PSN, MAX_QP_RD_ATOMIC,"
            + " ALT_PATH, MIN_RNR_TIMER, SQ_PSN, MAX_DEST_RD_ATOMIC, PATH_MIG_STATE, CAP, DEST_QPN,"
            + " RATE_LIMIT; PORT 0 is not 1 to 2; AV has no value; ALT_PATH has no value;"
            + " PATH_MTU has no value; CAP has no value;"
            + " CUR_STATE says RESET, but the queue pair is in SQD");
  }

  @Test
  void everyAttributeThatWasNeverSetIsSafeAlone() {
    for (QpType type : EnumSet.of(QpType.RC, QpType.UC, QpType.UD)) {
      for (QpState state : EnumSet.range(QpState.RESET, QpState.SQD)) {
        for (QpAttrMask attribute : QpAttrMask.values()) {
          QueuePair qp = bench.queuePairIn(type, state);
          VerbsException refusal =
              catchThrowableOfType(
                  VerbsException.class, () -> qp.modify(new QpAttr(), EnumSet.of(attribute)));
          if (refusal != null) {
            assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
          }
        }
      }
    }
  }
}

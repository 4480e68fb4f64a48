// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What create, modify and query of Linux 6.1 Soft-RoCE were recorded to answer. */
final class SoftRoceQpTest {
  private static final Gid PEER = new Gid(0, 0xffff_0a00_0002L);

  @AutoClose private final QpFixture bench = new QpFixture(DeviceProfile.softRoce());

  private static Arguments row(QpState from, String name, UnaryOperator<QpAttr> change) {
    return Arguments.of(from, name, change);
  }

  private static AhAttr via(int sgidIndex) {
    return new AhAttr(GlobalRoute.to(PEER, sgidIndex), 0, 1);
  }

  static Stream<Arguments> taken() {
    Gid group = new Gid(0, 0xffff_ef01_0203L);
    return Stream.of(
        row(QpState.RESET, "pkey 1", attr -> attr.pkeyIndex(1)),
        row(QpState.RESET, "pkey 65535", attr -> attr.pkeyIndex(65_535)),
        row(
            QpState.RESET,
            "all rights",
            attr -> attr.qpAccessFlags(EnumSet.allOf(AccessFlag.class))),
        row(QpState.INIT, "mtu 0", attr -> attr.pathMtu(null)),
        row(QpState.INIT, "mtu 5", attr -> attr.pathMtu(Mtu.MTU_4096)),
        row(QpState.INIT, "dest_qpn 0", attr -> attr.destQpNum(0)),
        row(QpState.INIT, "dest_qpn 25 bits", attr -> attr.destQpNum(16_777_233)),
        row(QpState.INIT, "max_dest_rd_atomic 255", attr -> attr.maxDestRdAtomic(255)),
        row(QpState.INIT, "min_rnr_timer 32", attr -> attr.minRnrTimer(32)),
        row(QpState.INIT, "min_rnr_timer 255", attr -> attr.minRnrTimer(255)),
        row(QpState.INIT, "multicast", attr -> attr.ahAttr(AhAttr.to(group))),
        row(QpState.RTR, "timeout 31", attr -> attr.timeout(31)),
        row(QpState.RTR, "retry_cnt 8", attr -> attr.retryCnt(8)),
        row(QpState.RTR, "rnr_retry 255", attr -> attr.rnrRetry(255)),
        row(QpState.RTR, "armed", attr -> attr.pathMigState(MigState.ARMED)));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("taken")
  void takesWhatHardwareRefuses(QpState from, String name, UnaryOperator<QpAttr> change) {
    QueuePair qp = bench.queuePairIn(QpType.RC, from);

    bench.modify(qp, from, change);

    assertThat(qp.query().qpState()).as(name).isGreaterThan(from);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(QpState.RESET, Errno.EINVAL, change(attr -> attr.portNum(0))),
        Arguments.of(QpState.RESET, Errno.EINVAL, change(attr -> attr.portNum(2))),
        Arguments.of(QpState.INIT, Errno.ENODATA, change(attr -> attr.ahAttr(via(9)))),
        Arguments.of(QpState.INIT, Errno.ENODATA, change(attr -> attr.ahAttr(via(255)))),
        Arguments.of(QpState.INIT, Errno.EINVAL, change(attr -> attr.ahAttr(via(1024)))),
        Arguments.of(QpState.INIT, Errno.EINVAL, change(attr -> attr.ahAttr(via(0).fromPort(0)))),
        Arguments.of(QpState.INIT, Errno.EINVAL, change(attr -> attr.ahAttr(via(9).fromPort(2)))),
        Arguments.of(
            QpState.INIT, Errno.EINVAL, change(attr -> attr.ahAttr(new AhAttr(null, 0, 1)))),
        Arguments.of(QpState.INIT, Errno.EINVAL, change(attr -> attr.ahAttr(AhAttr.to(Gid.ZERO)))),
        Arguments.of(QpState.RTR, Errno.EINVAL, change(attr -> attr.timeout(32))),
        Arguments.of(QpState.RTR, Errno.EINVAL, change(attr -> attr.maxRdAtomic(129))));
  }

  private static UnaryOperator<QpAttr> change(UnaryOperator<QpAttr> change) {
    return change;
  }

  @ParameterizedTest
  @MethodSource("refused")
  void refusesWithTheRecordedErrno(QpState from, Errno errno, UnaryOperator<QpAttr> change) {
    QueuePair qp = bench.queuePairIn(QpType.RC, from);
    String before = qp.query().toString();

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> bench.modify(qp, from, change));

    assertThat(refusal.errno()).isEqualTo(errno);
    assertThat(qp.query()).hasToString(before);
  }

  @Test
  void refusesAlternatePathsThoughItReportsMigration() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    QpAttr attr = new QpAttr().altPath(AlternatePath.to(via(0), 14));

    VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> qp.modify(attr));

    assertThat(refusal)
        .hasMessage(
            "ibv_modify_qp: EINVAL: RTS -> RTS (RC): ALT_PATH is not taken by a RoCE port of"
                + " Linux");
  }

  @Test
  void saysOfARateLimitThatItIsNotSupportedWhateverElseIsWrong() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RESET);

    VerbsException refusal =
        catchThrowableOfType(
            VerbsException.class, () -> qp.modify(bench.valid(), EnumSet.allOf(QpAttrMask.class)));

    assertThat(refusal.errno()).isEqualTo(Errno.EOPNOTSUPP);
  }

  @Test
  void believesTheStateTheCallerClaims() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);

    qp.modify(QpAttr.to(QpState.RTS).curQpState(QpState.SQD));

    assertThat(qp.query().curQpState()).isEqualTo(QpState.RTS);
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "2, 2", "3, 4", "4, 4", "5, 8", "128, 128", "129, 0", "255, 0"})
  void roundsReadsUpToPowersOfTwo(int asked, int stored) {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.INIT);

    bench.modify(qp, QpState.INIT, attr -> attr.maxDestRdAtomic(asked));
    bench.modify(qp, QpState.RTR, attr -> attr.maxRdAtomic(Math.min(asked, 128)));

    assertThat(qp.query().maxDestRdAtomic()).isEqualTo(stored);
    assertThat(qp.query().maxRdAtomic()).isEqualTo(asked > 128 ? 128 : stored);
  }

  @Test
  void queriesKeepAttributesAfterResetAndSayLittleOfTheAddress() {
    QueuePair qp = bench.queuePair(QpType.RC);
    assertThat(qp.query().ahAttr().isGlobal()).isTrue();
    assertThat(qp.query().pathMtu()).isEqualTo(Mtu.MTU_256);
    bench.modify(qp, QpState.RESET, attr -> attr);
    GlobalRoute route = new GlobalRoute(PEER, 74_565, 0, 9, 8);
    bench.modify(qp, QpState.INIT, attr -> attr.ahAttr(new AhAttr(route, 3, 1)));

    assertThat(qp.query().curQpState()).isEqualTo(QpState.RESET);
    qp.modify(QpAttr.to(QpState.RESET));

    QpAttr attr = qp.query();
    assertThat(attr.qpState()).isEqualTo(QpState.RESET);
    assertThat(attr.portNum()).isEqualTo(1);
    assertThat(attr.rqPsn()).isEqualTo(11);
    assertThat(attr.ahAttr()).isEqualTo(new AhAttr(new GlobalRoute(PEER, 74_565, 0, 64, 8), 0, 1));
  }

  @Test
  void queriesTellAPathMtuOfNoneFromNoneGiven() {
    QueuePair qp = bench.queuePair(QpType.RC);
    bench.modify(qp, QpState.RESET, attr -> attr);
    assertThat(qp.query().pathMtu()).isEqualTo(Mtu.MTU_256);

    bench.modify(qp, QpState.INIT, attr -> attr.pathMtu(null));

    assertThat(qp.query().pathMtu()).isNull();
  }

  @Test
  void theGuidIsMadeFromTheLinkLocalAddress() {
    try (Emulator emulator = Emulator.inMemory()) {
      Device device =
          emulator.addDevice(DeviceProfile.softRoce(), "fe80::5054:ff:fe00:5", "192.0.2.5");

      assertThat(device.guid()).isEqualTo(0x5054_00ff_fe00_0005L);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 0 0 0,   0 0 0 0 0,   0 0 0 0 0",
    "1 1 1 1 1,   1 1 1 1 16,  1 1 1 1 16",
    "5 9 3 5 33,  5 9 3 5 48,  7 15 3 5 48",
    "8 16 2 4 64, 8 16 4 4 64, 15 31 4 4 64",
    "4 4 0 0 100, 4 4 6 0 100, 7 7 6 0 100",
  })
  void grantsMoreThanAskedAndSaysSoOnlyToAQuery(String asked, String created, String queried) {
    QueuePair qp = bench.queuePair(QpType.UD, cap(asked));

    assertThat(qp.initAttr().cap()).isEqualTo(cap(created));
    assertThat(qp.query().cap()).isEqualTo(cap(queried));
  }

  private static QpCap cap(String numbers) {
    int[] each = Stream.of(numbers.split(" ")).mapToInt(Integer::parseInt).toArray();
    return new QpCap(each[0], each[1], each[2], each[3], each[4]);
  }
}

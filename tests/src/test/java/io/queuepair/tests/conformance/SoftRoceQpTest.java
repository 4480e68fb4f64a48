// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Recorded answers of create, modify and query of Linux 6.1 Soft-RoCE. */
final class SoftRoceQpTest {
  private static final Gid PEER = new Gid(0, 0xffff_0a00_0002L);

  @AutoClose private final QpFixture bench = new QpFixture(DeviceProfile.softRoce());

  @Test
  void refusesAlternatePathsThoughItReportsMigration() {
    QueuePair qp = bench.queuePairIn(QpType.RC, QpState.RTS);
    QpAttr attr = new QpAttr().altPath(AlternatePath.to(AhAttr.to(PEER), 14));

    VerbsException refusal = catchThrowableOfType(VerbsException.class, () -> qp.modify(attr));

    assertThat(refusal)
        .hasMessage(
            "ibv_modify_qp: EINVAL: RTS -> RTS (RC): ALT_PATH is not taken by a RoCE port of"
                + " Linux");
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertEinval;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CqModerationCaps;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DeviceAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EthL2;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GidType;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.Verbs;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Attributes of a device and its ports beyond the basic queries. */
final class DeviceQueryTest {
  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private final Context standard =
      emulator
          .addDevice(DeviceProfile.standard(), List.of("10.0.0.1", "fd00::1"), List.of("10.1.0.1"))
          .open();

  private final Context softRoce = emulator.addDevice(DeviceProfile.softRoce(), "10.0.0.2").open();

  private static Gid gid(String address) {
    try {
      return Gid.of(InetAddress.getByName(address));
    } catch (UnknownHostException impossible) {
      throw new AssertionError(impossible);
    }
  }

  @Test
  void theExtendedQuerySaysTheSameAndMore() {
    DeviceAttrEx attr = standard.queryDeviceEx();

    assertThat(attr.origAttr()).isEqualTo(standard.queryDevice());
    assertThat(attr.physPortCntEx()).isEqualTo(2);
    assertThat(attr.completionTimestampMask()).isEqualTo(-1);
    assertThat(attr.hcaCoreClock()).isEqualTo(1_000_000);
    assertThat(attr.cqModCaps()).isEqualTo(new CqModerationCaps(0xffff, 0xffff));
    assertThat(attr.packetPacingCaps().supportedQpts()).containsExactly(QpType.RAW_PACKET);
  }

  @Test
  void whatSoftRoceDoesNotOfferReadsZero() {
    DeviceAttrEx attr = softRoce.queryDeviceEx();

    assertThat(attr.origAttr()).isEqualTo(softRoce.queryDevice());
    assertThat(attr.physPortCntEx()).isOne();
    assertThat(attr.completionTimestampMask()).isZero();
    assertThat(attr.hcaCoreClock()).isZero();
    assertThat(attr.cqModCaps()).isEqualTo(CqModerationCaps.NONE);
    assertThat(attr.packetPacingCaps().qpRateLimitMax()).isZero();
    assertThat(attr.odpCaps().general()).isEmpty();
    assertThat(attr.tsoCaps().maxTso()).isZero();
    assertThat(attr.rawPacketCaps()).isEmpty();
    assertThat(attr.maxDmSize()).isZero();
  }

  @Test
  void theClockIsThatOfCompletionTimestamps() {
    try (Pair pair = Pair.connected(LinkForm.OBJECTS)) {
      Context context = pair.a().context();
      ExtendedCompletionQueue cq =
          context.createCqEx(
              CqInitAttrEx.of(1).withWcFlags(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP));
      QueuePair qp = pair.a().pd().createQp(QpInitAttr.rc(cq, QpCap.of(1)));
      qp.modify(Attributes.init(QpType.RC));
      qp.postRecv(RecvWr.of(1));
      pair.run(Duration.ofMillis(3));

      qp.modify(QpAttr.to(QpState.ERR));

      try (PollBatch batch = cq.startPoll(new PollCqAttr(0))) {
        assertThat(batch.nextPoll()).isTrue();
        assertThat(batch.readCompletionTs()).isPositive();
        assertThat(context.queryRtValuesEx().rawClock()).isEqualTo(batch.readCompletionTs());
      }
    }
  }

  @Test
  void onlySoftRoceHasNoClockAndNoSpeed() {
    assertThat(Errnos.of(softRoce::queryRtValuesEx)).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(Errnos.of(() -> softRoce.queryPortSpeed(1))).isEqualTo(Errno.EOPNOTSUPP);
  }

  /** One lane (code 1) of single data rate (code 1): 2.5 Gbit/s. */
  @Test
  void theSpeedIsThatOfWidthAndSpeed() {
    assertThat(standard.queryPort(1).activeWidth()).isOne();
    assertThat(standard.queryPort(1).activeSpeed()).isOne();
    assertThat(standard.queryPortSpeed(1)).isEqualTo(25);
    assertThat(Errnos.of(() -> standard.queryPortSpeed(3))).isEqualTo(Errno.EINVAL);

    EmulatedDevice.of(standard.device()).setPortUp(1, false);

    assertThat(standard.queryPortSpeed(1)).isZero();
  }

  @Test
  void entriesOfTheGidTablesHaveTheirKinds() {
    GidEntry second = new GidEntry(gid("fd00::1"), 1, 1, GidType.ROCE_V2, 0);

    assertThat(standard.queryGidEx(1, 1)).isEqualTo(second);
    assertThat(standard.queryGidTable(3))
        .containsExactly(
            new GidEntry(gid("10.0.0.1"), 0, 1, GidType.ROCE_V2, 0),
            second,
            new GidEntry(gid("10.1.0.1"), 0, 2, GidType.ROCE_V2, 0));
    assertThat(Errnos.of(() -> standard.queryGidEx(1, 2))).isEqualTo(Errno.ENODATA);
    assertEinval(() -> standard.queryGidEx(1, 16));
    assertEinval(() -> standard.queryGidEx(1, -1));
    assertEinval(() -> standard.queryGidEx(3, 0));
    assertEinval(() -> standard.queryGidTable(2));
    assertEinval(() -> standard.queryGidTable(0));
  }

  @Test
  void aPkeyIsFoundByAllItsBits() {
    DeviceProfile profile = DeviceProfile.standard().withPkeys(0xffff, 0x8001, 0x0001, 0x8001);
    Context context = emulator.addDevice(profile, "10.0.0.3").open();

    assertThat(context.getPkeyIndex(1, 0xffff)).isZero();
    assertThat(context.getPkeyIndex(2, 0x8001)).isOne();
    assertThat(context.getPkeyIndex(1, 0x0001)).isEqualTo(2);
    Errnos.assertRefused(
        Errno.EINVAL,
        "no slot of port 1 holds the P_Key 0x7fff",
        () -> context.getPkeyIndex(1, 0x7fff));
    assertThat(Errnos.of(() -> softRoce.getPkeyIndex(1, 0x7fff))).isEqualTo(Errno.ENOENT);
  }

  /** RFC 1112: the lower 23 bits of the group. */
  @Test
  void anAddressIsResolved() {
    AhAttr peer = AhAttr.to(gid("10.0.0.2"));
    AhAttr group = AhAttr.to(gid("239.129.2.3"));
    AhAttr unreachable = AhAttr.to(gid("10.0.0.99"));

    assertThat(standard.resolveEthL2FromGid(peer))
        .isEqualTo(new EthL2(MacAddress.ofGuid(softRoce.device().guid()), EthL2.NO_VLAN));
    assertThat(standard.resolveEthL2FromGid(group).mac())
        .isEqualTo(MacAddress.of("01:00:5e:01:02:03"));
    assertThat(Errnos.of(() -> standard.resolveEthL2FromGid(unreachable)))
        .isEqualTo(Errno.EHOSTUNREACH);
    assertThat(Errnos.of(() -> standard.resolveEthL2FromGid(peer.fromPort(3))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  void devicesAreNumbered() {
    assertThat(emulator.devices().get(0).index()).isZero();
    assertThat(emulator.devices().get(1).index()).isOne();
  }

  /** The formula of ibv_flow_label_to_udp_sport: 0xC000 | (low 14 bits ^ upper 6 bits). */
  @ParameterizedTest
  @CsvSource({
    "0, 0xc000",
    "0x3fff, 0xffff",
    "0x4000, 0xc001",
    "0xfffff, 0xffc0",
    "0x12345, 0xe341"
  })
  void flowsSpreadOverPorts(int flowLabel, int port) {
    assertThat(Verbs.flowLabelToUdpSport(flowLabel)).isEqualTo(port);
  }

  @Test
  void theBitOfATypeIsItsCode() {
    assertThat(QpType.RC.isSupported(1 << 2)).isTrue();
    assertThat(QpType.UD.isSupported(1 << 2)).isFalse();
    assertThat(QpType.DRIVER.isSupported(-1)).isFalse();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.HexFormat;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Refusals of ibv_attach_mcast, ibv_detach_mcast and ibv_destroy_qp. */
final class MulticastRefusalTest {
  private static final Gid GROUP = group(1);

  /** ::ffff:239.0.0.n. */
  private static Gid group(int n) {
    return new Gid(0, 0xffff_ef00_0000L + n);
  }

  @AutoClose private final Emulator emulator = Emulator.inMemory();
  private final DatagramHost host = new DatagramHost(emulator.addDevice("10.0.0.1"));

  private static void assertNoMemory(QueuePair qp, int group) {
    assertThat(Errnos.of(() -> qp.attachMcast(group(group)))).isEqualTo(Errno.ENOMEM);
  }

  @Test
  void limitsAreThoseOfSoftRoce() {
    DeviceProfile standard = DeviceProfile.standard();

    assertThat(standard.limit(DeviceLimit.MAX_MCAST_GRP)).isEqualTo(8192);
    assertThat(standard.limit(DeviceLimit.MAX_MCAST_QP_ATTACH)).isEqualTo(56);
    assertThat(standard.limit(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH)).isEqualTo(458_752);
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC", "RAW_PACKET", "XRC_SEND"})
  void otherTypesReceiveNoMulticast(QpType type) {
    QueuePair qp = host.createQp(type);

    assertThat(Errnos.of(() -> qp.attachMcast(GROUP))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> qp.detachMcast(GROUP))).isEqualTo(Errno.EINVAL);
  }

  @ParameterizedTest
  @CsvSource({
    "00000000000000000000ffff0a000001", // 10.0.0.1
    "00000000000000000000ffffdfffffff", // 223.255.255.255
    "00000000000000000000fffff0000000", // 240.0.0.0
    "000000000000000000000000ef000001", // 239.0.0.1, but not mapped
    "fe800000000000000000000000000001",
    "00000000000000000000000000000000"
  })
  void whatIsNoGroupIsRefused(String gid) {
    Gid noGroup = Gid.ofBytes(HexFormat.of().parseHex(gid));

    assertThat(Errnos.of(() -> host.createQp().attachMcast(noGroup))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void detachingWhatIsNotAttachedIsRefused() {
    QueuePair qp = host.createQp();
    host.createQp().attachMcast(GROUP);
    qp.attachMcast(group(2));
    qp.detachMcast(group(2));

    assertThat(Errnos.of(() -> qp.detachMcast(GROUP))).isEqualTo(Errno.EINVAL);
    assertThat(Errnos.of(() -> qp.detachMcast(group(2)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  void attachedQueuePairIsBusy() {
    QueuePair qp = host.createQp();
    qp.attachMcast(GROUP);
    qp.attachMcast(GROUP);

    assertThat(Errnos.of(qp::close)).isEqualTo(Errno.EBUSY);
    qp.detachMcast(GROUP);
    qp.close();
  }

  private DatagramHost limited(DeviceLimit limit) {
    DeviceProfile profile = DeviceProfile.standard().withLimit(limit, 2);
    return new DatagramHost(emulator.addDevice(profile, "10.0.0.2"));
  }

  @Test
  void groupsAreLimited() {
    QueuePair qp = limited(DeviceLimit.MAX_MCAST_GRP).createQp();
    qp.attachMcast(group(1));
    qp.attachMcast(group(2));

    assertNoMemory(qp, 3);
    qp.detachMcast(group(1));
    qp.attachMcast(group(3));
  }

  @Test
  void queuePairsOfOneGroupAreLimited() {
    for (int i = 0; i < 56; i++) {
      host.createQp(QpType.UD).attachMcast(GROUP);
    }
    QueuePair oneMore = host.createQp(QpType.UD);

    assertNoMemory(oneMore, 1);
    oneMore.attachMcast(group(2));
  }

  @Test
  void attachmentsAreLimited() {
    DatagramHost two = limited(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH);
    QueuePair qp = two.createQp();
    qp.attachMcast(group(1));
    two.createQp().attachMcast(group(1));

    assertNoMemory(qp, 2);
  }

  @Test
  void loopbackHasNoMulticast() {
    try (Emulator udp = Emulator.on(UdpFabric.open())) {
      QueuePair qp = new DatagramHost(udp.addDevice("127.0.0.77")).createQp();

      assertRefused(
          Errno.EOPNOTSUPP,
          "lo, the interface of 127.0.0.77, has no multicast",
          () -> qp.attachMcast(GROUP));
      qp.close();
    }
  }

  @Test
  void groupOfAFamilyThatTheDeviceDoesNotHaveIsRefused() {
    QueuePair qp = host.createQp();

    assertRefused(
        Errno.EOPNOTSUPP,
        "No address of the device is of the family of the group ff0e:0:0:0:0:0:0:1.",
        () -> qp.attachMcast(new Gid(0xff0e_0000_0000_0000L, 1)));
    qp.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.udp.UdpFabric;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What ibv_attach_mcast, ibv_detach_mcast and ibv_destroy_qp refuse. */
final class MulticastRefusalTest {
  private static final Gid GROUP = group(1);

  /** ::ffff:239.0.0.n. */
  private static Gid group(int n) {
    return new Gid(0, 0xffff_ef00_0000L + n);
  }

  private static Errno errnoOf(Runnable verb) {
    return catchThrowableOfType(VerbsException.class, verb::run).errno();
  }

  @Test
  void limitsAreThoseOfSoftRoce() {
    DeviceProfile standard = DeviceProfile.standard();

    assertThat(standard.limit(DeviceLimit.MAX_MCAST_GRP)).isEqualTo(8192);
    assertThat(standard.limit(DeviceLimit.MAX_MCAST_QP_ATTACH)).isEqualTo(56);
    assertThat(standard.limit(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH)).isEqualTo(458_752);
  }

  @ParameterizedTest
  @EnumSource(
      value = QpType.class,
      names = {"RC", "UC", "RAW_PACKET", "XRC_SEND"})
  void otherTypesReceiveNoMulticast(QpType type) {
    try (Emulator emulator = Emulator.inMemory()) {
      QueuePair qp = new DatagramHost(emulator.addDevice("10.0.0.1")).createQp(type);

      assertThat(errnoOf(() -> qp.attachMcast(GROUP))).isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> qp.detachMcast(GROUP))).isEqualTo(Errno.EINVAL);
    }
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
    try (Emulator emulator = Emulator.inMemory()) {
      QueuePair qp = new DatagramHost(emulator.addDevice("10.0.0.1")).createQp();
      Gid noGroup = Gid.ofBytes(HexFormat.of().parseHex(gid));

      assertThat(errnoOf(() -> qp.attachMcast(noGroup))).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  void detachingWhatIsNotAttachedIsRefused() {
    try (Emulator emulator = Emulator.inMemory()) {
      DatagramHost host = new DatagramHost(emulator.addDevice("10.0.0.1"));
      QueuePair qp = host.createQp();
      QueuePair other = host.createQp();
      other.attachMcast(GROUP);
      qp.attachMcast(group(2));
      qp.detachMcast(group(2));

      assertThat(errnoOf(() -> qp.detachMcast(GROUP))).isEqualTo(Errno.EINVAL);
      assertThat(errnoOf(() -> qp.detachMcast(group(2)))).isEqualTo(Errno.EINVAL);
    }
  }

  @Test
  void attachedQueuePairIsBusy() {
    try (Emulator emulator = Emulator.inMemory()) {
      QueuePair qp = new DatagramHost(emulator.addDevice("10.0.0.1")).createQp();
      qp.attachMcast(GROUP);
      qp.attachMcast(GROUP);

      assertThat(errnoOf(qp::close)).isEqualTo(Errno.EBUSY);
      qp.detachMcast(GROUP);
      qp.close();
    }
  }

  @Test
  void groupsAreLimited() {
    try (Emulator emulator = Emulator.inMemory()) {
      DeviceProfile profile = DeviceProfile.standard().withLimit(DeviceLimit.MAX_MCAST_GRP, 2);
      QueuePair qp = new DatagramHost(emulator.addDevice(profile, "10.0.0.1")).createQp();
      qp.attachMcast(group(1));
      qp.attachMcast(group(2));

      assertThat(errnoOf(() -> qp.attachMcast(group(3)))).isEqualTo(Errno.ENOMEM);
      qp.detachMcast(group(1));
      qp.attachMcast(group(3));
    }
  }

  @Test
  void queuePairsOfOneGroupAreLimited() {
    try (Emulator emulator = Emulator.inMemory()) {
      DatagramHost host = new DatagramHost(emulator.addDevice("10.0.0.1"));
      for (int i = 0; i < 56; i++) {
        host.createQp(QpType.UD).attachMcast(GROUP);
      }
      QueuePair oneMore = host.createQp(QpType.UD);

      assertThat(errnoOf(() -> oneMore.attachMcast(GROUP))).isEqualTo(Errno.ENOMEM);
      oneMore.attachMcast(group(2));
    }
  }

  @Test
  void attachmentsAreLimited() {
    try (Emulator emulator = Emulator.inMemory()) {
      DeviceProfile profile =
          DeviceProfile.standard().withLimit(DeviceLimit.MAX_TOTAL_MCAST_QP_ATTACH, 2);
      DatagramHost host = new DatagramHost(emulator.addDevice(profile, "10.0.0.1"));
      QueuePair qp = host.createQp();
      qp.attachMcast(group(1));
      host.createQp().attachMcast(group(1));

      assertThat(errnoOf(() -> qp.attachMcast(group(2)))).isEqualTo(Errno.ENOMEM);
    }
  }

  @Test
  void loopbackHasNoMulticast() {
    try (Emulator emulator = Emulator.on(UdpFabric.open())) {
      QueuePair qp = new DatagramHost(emulator.addDevice("127.0.0.77")).createQp();

      VerbsException refused =
          catchThrowableOfType(VerbsException.class, () -> qp.attachMcast(GROUP));
      qp.close();

      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refused).hasMessageContaining("lo, the interface of 127.0.0.77, has no multicast");
    }
  }

  @Test
  void groupOfAFamilyThatTheDeviceDoesNotHaveIsRefused() {
    try (Emulator emulator = Emulator.inMemory()) {
      QueuePair qp = new DatagramHost(emulator.addDevice("10.0.0.1")).createQp();
      Gid group = new Gid(0xff0e_0000_0000_0000L, 1);

      VerbsException refused =
          catchThrowableOfType(VerbsException.class, () -> qp.attachMcast(group));
      qp.close();

      assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
      assertThat(refused)
          .hasMessageContaining(
              "No address of the device is of the family of the group ff0e:0:0:0:0:0:0:1.");
    }
  }
}

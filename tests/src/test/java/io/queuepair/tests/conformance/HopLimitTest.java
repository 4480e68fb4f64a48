// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QueuePair;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The hop limit of an address vector is the TTL on the wire, which the receiver of a datagram finds
 * in its GRH. The default of a device is 64, as that of Linux.
 */
final class HopLimitTest {
  /** Of the IPv4 header, which is the second half of a GRH. */
  private static final int TTL = 20 + 8;

  /** ::ffff:239.1.2.3. */
  private static final Gid GROUP = new Gid(0, 0xffff_ef01_0203L);

  private static int ttl(DeviceProfile profile, boolean isToGroup, int hopLimit) {
    Fabric fabric = LinkForm.OBJECTS.fabric();
    try (Emulator emulator = Emulator.on(fabric)) {
      DatagramHost a = new DatagramHost(emulator.addDevice(profile, "10.0.0.1"));
      DatagramHost b = new DatagramHost(emulator.addDevice(profile, "10.0.0.2"));
      QueuePair member = b.createMember(GROUP, 0);
      Gid destination = isToGroup ? GROUP : b.context().queryGid(1, 0);
      int qpn = isToGroup ? DatagramHost.GROUP_QPN : member.qpNum();
      a.send(
          a.createQp(),
          new AhAttr(new GlobalRoute(destination, 0, 0, hopLimit, 0), 0, 1),
          qpn,
          DatagramHost.QKEY);
      new VirtualTime(fabric.scheduler()).drain();
      assertThat(b.receives()).containsExactly("0 RECV 44 [GRH]");
      return Byte.toUnsignedInt(b.grh(0)[TTL]);
    }
  }

  @ParameterizedTest
  @CsvSource({"false, 7", "true, 7", "false, 1", "true, 255"})
  void isThatOfThePackets(boolean isToGroup, int hopLimit) {
    assertThat(ttl(DeviceProfile.standard(), isToGroup, hopLimit)).isEqualTo(hopLimit);
  }

  @ParameterizedTest
  @CsvSource({"false", "true"})
  void zeroStandsForTheDefault(boolean isToGroup) {
    assertThat(ttl(DeviceProfile.standard(), isToGroup, 0)).isEqualTo(64);
  }

  /** Linux takes it from the route to a single receiver (recorded), which a group has not. */
  @ParameterizedTest
  @CsvSource({"false, 7, 64", "false, 0, 64", "true, 7, 7"})
  void softRoceHasThatOfTheRoute(boolean isToGroup, int hopLimit, int expected) {
    assertThat(ttl(DeviceProfile.softRoce(), isToGroup, hopLimit)).isEqualTo(expected);
  }
}

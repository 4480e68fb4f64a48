// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.PortAttr;
import io.queuepair.verbs.PortState;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The ports of a device, their addresses and their P_Keys. */
final class DevicePortsTest {
  private static final DeviceProfile STANDARD = DeviceProfile.standard();

  @AutoClose private final Emulator emulator = Emulator.inMemory();

  private Context open(DeviceProfile profile, List<String> port1, List<String> port2) {
    return emulator.addDevice(profile, port1, port2).open();
  }

  private static Gid gid(String address) throws UnknownHostException {
    return Gid.of(InetAddress.getByName(address));
  }

  @Test
  void eachPortHasItsOwnGids() throws UnknownHostException {
    Context context = open(STANDARD, List.of("10.0.0.1"), List.of("10.1.0.1", "fd00::1"));

    assertThat(context.queryDevice().physPortCnt()).isEqualTo(2);
    assertThat(context.queryGid(1, 0)).isEqualTo(gid("10.0.0.1"));
    assertThat(context.queryGid(1, 1)).isEqualTo(Gid.ZERO);
    assertThat(context.queryGid(2, 0)).isEqualTo(gid("10.1.0.1"));
    assertThat(context.queryGid(2, 1)).isEqualTo(gid("fd00::1"));
    assertThat(context.queryPort(2).state()).isEqualTo(PortState.ACTIVE);
  }

  @Test
  void aPortWithoutAddressesIsDown() {
    PortAttr port = open(STANDARD, List.of("10.0.0.1"), List.of()).queryPort(2);

    assertThat(port.state()).isEqualTo(PortState.DOWN);
    assertThat(port.physState()).isEqualTo(3);
    assertThat(port.isGrhRequired()).isTrue();
  }

  @Test
  void addressesMustFindTheirPort() {
    List<String> some = List.of("10.0.0.1");

    assertThatThrownBy(() -> emulator.addDevice(STANDARD, List.of(), some))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("port 1 has no address");
    assertThatThrownBy(() -> emulator.addDevice(STANDARD.withPorts(1), some, some))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the profile has no port 2");
    assertThatThrownBy(() -> STANDARD.withPorts(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theFirstSlotHoldsTheDefaultPkeyAndTheOthersNone() {
    Context context = open(STANDARD, List.of("10.0.0.1"), List.of());

    assertThat(context.queryPort(2).pkeyTblLen()).isEqualTo(16);
    assertThat(context.queryPkey(2, 0)).isEqualTo(0xffff);
    assertThat(context.queryPkey(1, 1)).isZero();
    assertThat(context.queryPkey(1, 15)).isZero();
    assertThatThrownBy(() -> context.queryPkey(1, 16)).hasMessageContaining("is not 0 to 15");
  }

  @Test
  void aQueuePairTakesAnyPkeyThatIsThere() {
    DeviceProfile profile = STANDARD.withPkeys(0x8001, 0, 0x0002);
    try (QpFixture bench = new QpFixture(profile)) {
      QueuePair qp = bench.queuePair(QpType.UD);
      QpAttr attr = QpAttr.to(QpState.INIT).portNum(1).qkey(1);

      assertThatThrownBy(() -> qp.modify(attr.pkeyIndex(1)))
          .hasMessage(
              "ibv_modify_qp: EINVAL: RESET -> INIT (UD):"
                  + " PKEY_INDEX 1 is an empty slot of the P_Key table");
      qp.modify(attr.pkeyIndex(2));

      assertThat(qp.query().pkeyIndex()).isEqualTo(2);
      assertThat(bench.context().queryPkey(1, 2)).isEqualTo(2);
    }
  }

  @Test
  void pkeysFit16BitsAndATableGrowsForThem() {
    assertThat(STANDARD.withPkeys(new int[20]).pkeys()).hasSize(20);
    assertThatThrownBy(() -> STANDARD.withPkeys(0x1_0000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void softRoceHasOnePortAndOnePkeyAndOrdersItsGids() throws UnknownHostException {
    Context context =
        open(DeviceProfile.softRoce(), List.of("fd00::5", "10.0.0.5", "fe80::5"), List.of());

    assertThat(context.queryDevice().physPortCnt()).isEqualTo(1);
    assertThat(context.queryPort(1).pkeyTblLen()).isEqualTo(1);
    assertThat(context.queryPort(1).gidTblLen()).isEqualTo(1024);
    assertThat(context.queryPort(1).maxMsgSz()).isEqualTo(8_388_608);
    assertThat(context.queryPort(1).portCapFlags()).isEqualTo(65_536);
    assertThat(context.queryGid(1, 0)).isEqualTo(gid("fe80::5"));
    assertThat(context.queryGid(1, 1)).isEqualTo(gid("10.0.0.5"));
    assertThat(context.queryGid(1, 2)).isEqualTo(gid("fd00::5"));
    assertThatThrownBy(() -> context.queryPkey(1, 1))
        .isInstanceOf(VerbsException.class)
        .hasMessage("ibv_query_pkey: ENOENT: P_Key index 1 is not 0 to 0");
    assertThatThrownBy(() -> context.queryPkey(2, 0))
        .hasMessage("ibv_query_pkey: ENOENT: port 2 is not 1");
    assertThatThrownBy(() -> context.queryGid(2, 0))
        .hasMessage("ibv_query_gid: EINVAL: port 2 is not 1");
  }
}

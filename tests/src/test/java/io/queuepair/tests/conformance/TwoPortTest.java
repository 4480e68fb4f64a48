// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * What belongs to one port of a device that has two: datagrams, counters, P_Keys and events.
 * "Physical HCA port the QP will use to send and receive messages" (InfiniBand Network
 * Architecture, Table 12-2).
 */
final class TwoPortTest {
  private static final int QKEY = DatagramHost.QKEY;
  private static final DeviceProfile STANDARD = DeviceProfile.standard();

  private final Fabric fabric = InMemoryFabric.virtualTime();
  @AutoClose private final Emulator emulator = Emulator.on(fabric);

  private DatagramHost host(int number, DeviceProfile profile) {
    return new DatagramHost(device(number, profile));
  }

  private EmulatedDevice device(int number, DeviceProfile profile) {
    return emulator.addDevice(profile, List.of("10.0.0." + number), List.of("10.1.0." + number));
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  /** A port of a host, as one of another sends to it from its own port. */
  private static AhAttr address(DatagramHost to, int port, int fromPort) {
    return new AhAttr(new GlobalRoute(to.context().queryGid(port, 0), 0, 0, 64, 0), 0, fromPort);
  }

  @Test
  void anAddressHandleOfAnotherPortIsRefusedWhereThatIsEnforced() {
    DatagramHost a = host(1, STANDARD);
    DatagramHost b = host(2, STANDARD);
    QueuePair sender = a.createQp(2, QKEY);
    assertThat(a.context().queryDevice().deviceCapFlags())
        .contains(DeviceCapFlag.UD_AV_PORT_ENFORCE);

    assertRefused(
        "the address handle is of port 1, the queue pair of port 2",
        () -> a.send(sender, address(b, 1, 1), 0x11, QKEY));
    a.send(sender, address(b, 1, 2), 0x11, QKEY);

    assertThat(a.sends()).containsExactly("99 SEND");
  }

  @Test
  void withoutThatADatagramLeavesThePortOfItsAddressHandle() {
    DatagramHost a = host(1, STANDARD.without(DeviceCapFlag.UD_AV_PORT_ENFORCE));
    DatagramHost b = host(2, STANDARD);
    QueuePair sender = a.createQp(2, QKEY);
    QueuePair receiver = b.createQp();
    b.postRecv(receiver, 0);

    a.send(sender, address(b, 1, 1), receiver.qpNum(), QKEY);
    drain();

    assertThat(b.receives()).containsExactly("0 RECV 44 [GRH]");
    assertThat(b.grh(0)).containsSequence(10, 0, 0, 1);
  }

  @Test
  void eachPortCountsItsOwnKeyViolations() {
    DatagramHost a = host(1, STANDARD);
    DatagramHost b = host(2, STANDARD.withPkeysOfPort(1, 0x8001));
    QueuePair sender = a.createQp();
    QueuePair first = b.createQp(1, QKEY);
    QueuePair second = b.createQp(2, QKEY);

    a.send(sender, address(b, 1, 1), first.qpNum(), QKEY);
    a.send(sender, address(b, 2, 1), second.qpNum(), QKEY + 1);
    a.send(sender, address(b, 2, 1), second.qpNum(), QKEY + 1);
    drain();

    assertThat(b.context().queryPort(1).badPkeyCntr()).isOne();
    assertThat(b.context().queryPort(1).qkeyViolCntr()).isZero();
    assertThat(b.context().queryPort(2).badPkeyCntr()).isZero();
    assertThat(b.context().queryPort(2).qkeyViolCntr()).isEqualTo(2);
  }

  @Test
  void eachPortHasItsOwnPkeys() {
    DatagramHost b = host(2, STANDARD.withPkeysOfPort(2, 0xffff, 0x8001));

    assertThat(b.context().queryPkey(1, 1)).isZero();
    assertThat(b.context().queryPkey(2, 1)).isEqualTo(0x8001);
    assertThat(b.context().getPkeyIndex(2, 0x8001)).isEqualTo(1);
    QpAttr ofSlot1 = QpAttr.to(QpState.INIT).pkeyIndex(1).qkey(QKEY);
    assertThatThrownBy(() -> b.createQp(QpType.UD).modify(ofSlot1.portNum(1)))
        .hasMessageContaining("PKEY_INDEX 1 is an empty slot");
    b.createQp(QpType.UD).modify(ofSlot1.portNum(2));
  }

  @Test
  void everyContextHearsOfAChangeOfThePkeyTable() {
    EmulatedDevice device = device(1, STANDARD);
    DatagramHost one = new DatagramHost(device);
    DatagramHost other = new DatagramHost(device);

    device.setPkey(2, 3, 0x8007);
    device.setPkey(2, 3, 0x8007);

    for (DatagramHost each : List.of(one, other)) {
      assertThat(each.context().getAsyncEvent())
          .isEqualTo(AsyncEvent.ofPort(EventType.PKEY_CHANGE, 2));
      assertThat(each.context().getAsyncEvent(Duration.ZERO)).isEmpty();
      assertThat(each.context().queryPkey(2, 3)).isEqualTo(0x8007);
      assertThat(each.context().queryPkey(1, 3)).isZero();
    }
  }

  /** Also one that has no peer yet. */
  @Test
  void aDeviceThatFailsFlushesAQueuePairInInit() {
    EmulatedDevice device = device(1, STANDARD);
    DatagramHost host = new DatagramHost(device);
    QueuePair qp = host.createQp(QpType.UD);
    qp.modify(Attributes.init(QpType.UD));
    host.postRecv(qp, 3);

    device.fail();

    assertThat(host.receives()).containsExactly("3 WR_FLUSH_ERR");
    assertThat(qp.query().qpState()).isEqualTo(QpState.ERR);
  }

  private static void assertRefused(String why, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContainingAll("EINVAL", why);
  }

  @Test
  void refusesPkeysThatNoTableHolds() {
    EmulatedDevice device = device(1, STANDARD.withPkeys(0xffff, 0x8001));
    int slots = device.open().queryPort(1).pkeyTblLen();

    assertRefused("port 3 is not 1 to 2", () -> device.setPkey(3, 0, 1));
    assertRefused("P_Key index -1 is not 0 to", () -> device.setPkey(1, -1, 1));
    assertRefused("is not 0 to " + (slots - 1), () -> device.setPkey(1, slots, 1));
    assertRefused("has more than 16 bits", () -> device.setPkey(1, 0, 0x1_0000));
    assertThatThrownBy(() -> STANDARD.withPkeysOfPort(3, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("port 3 is not 1 to 2");
  }
}

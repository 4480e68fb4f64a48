// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.GidEntry;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendWr;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Addresses and MTU of a port that change while the device is in use. */
final class AddressChangeTest {
  private static final int NETWORK_MTU = 1_500;

  private final InMemoryFabric fabric =
      InMemoryFabric.create(InMemoryOptions.virtualTime().withMtuBytes(NETWORK_MTU));
  @AutoClose private final Emulator emulator = Emulator.on(fabric);
  private final EmulatedDevice device = emulator.addDevice("10.0.0.1", "10.0.0.2", "fd00::3");
  private final Context context = device.open();

  private static Gid gid(String address) throws UnknownHostException {
    return Gid.of(InetAddress.getByName(address));
  }

  private static void assertNothingHappened(Context watching) {
    assertThat(watching.getAsyncEvent(Duration.ZERO)).isEmpty();
  }

  @Test
  void anAddressGetsTheFirstEmptySlot() throws UnknownHostException {
    device.addAddress(1, "10.0.0.4");
    assertThat(context.queryGid(1, 3)).isEqualTo(gid("10.0.0.4"));

    device.removeAddress(1, "10.0.0.2");
    assertThat(context.queryGid(1, 1)).isEqualTo(Gid.ZERO);
    assertThat(context.queryGidTable(16)).extracting(GidEntry::gidIndex).containsExactly(0, 2, 3);

    device.addAddress(1, "fd00::5");
    assertThat(context.queryGid(1, 1)).isEqualTo(gid("fd00::5"));
    assertThat(context.queryGid(1, 3)).isEqualTo(gid("10.0.0.4"));
  }

  @Test
  void refusesWhatTheTableCannotHold() {
    for (int used = 3; used < context.queryPort(1).gidTblLen(); used++) {
      device.addAddress(1, "10.0.1." + used);
    }

    assertRefused(
        Errno.ENOSPC,
        "all 16 slots of the GID table are taken",
        () -> device.addAddress(1, "10.0.0.4"));
    device.removeAddress(1, "10.0.1.7");
    device.addAddress(1, "10.0.0.4");
  }

  @Test
  void refusesWhatIsNotThere() {
    assertRefused(Errno.EINVAL, "port 3 is not 1 to 2", () -> device.addAddress(3, "10.0.0.4"));
    assertRefused(Errno.EINVAL, "port 3 is not 1 to 2", () -> device.removeAddress(3, "10.0.0.2"));
    assertRefused(
        Errno.EINVAL, "is not one of the port", () -> device.removeAddress(2, "10.0.0.2"));
    assertRefused(
        Errno.EINVAL, "is not one of the port", () -> device.removeAddress(1, "10.0.0.9"));
    assertRefused(Errno.EINVAL, "first of the port", () -> device.removeAddress(1, "10.0.0.1"));
    assertThatThrownBy(() -> device.addAddress(1, "10.0.0.2")).isInstanceOf(FabricException.class);

    assertNothingHappened(context);
    assertThat(context.queryGidTable(16)).hasSize(3);
  }

  @Test
  void keepsTheAddressThatIsInAGroup() throws UnknownHostException {
    QueuePair member = new DatagramHost(device).createMember(gid("ff02::77"), 0);

    assertRefused(Errno.EBUSY, "multicast group", () -> device.removeAddress(1, "fd00::3"));

    member.detachMcast(gid("ff02::77"));
    device.removeAddress(1, "fd00::3");
  }

  /** Datagrams of an address handle whose own address, 10.0.0.2, is in slot 1. */
  private SendWr datagramFromSlot1(DatagramHost host) throws UnknownHostException {
    AhAttr bySlot1 = new AhAttr(new GlobalRoute(gid("10.0.0.9"), 0, 1, 64, 0), 0, 1);
    return SendWr.send(1).to(host.pd().createAh(bySlot1), 0x11, DatagramHost.QKEY);
  }

  @Test
  void aDatagramWhoseOwnAddressIsGoneIsRefused() throws UnknownHostException {
    DatagramHost host = new DatagramHost(device);
    SendWr datagram = datagramFromSlot1(host);
    QueuePair sender = host.createQp();

    device.removeAddress(1, "10.0.0.2");
    assertRefused(Errno.EINVAL, "GID index 1 of port 1, is gone", () -> sender.postSend(datagram));
    device.addAddress(1, "fd00::5");
    assertRefused(Errno.EINVAL, "GID index 1 of port 1, is gone", () -> sender.postSend(datagram));
    device.removeAddress(1, "fd00::5");
    device.addAddress(1, "10.0.0.5");
    sender.postSend(datagram);

    assertThat(host.sends()).containsExactly("1 SEND");
  }

  @Test
  void aDatagramThatWaitedWhileItsOwnAddressWentIsDroppedAndCounted() throws UnknownHostException {
    DatagramHost host = new DatagramHost(device);
    QueuePair sender = host.createQp();
    sender.modify(QpAttr.to(QpState.SQD));
    sender.postSend(datagramFromSlot1(host));

    device.removeAddress(1, "10.0.0.2");
    sender.modify(QpAttr.to(QpState.RTS));
    drain();

    assertThat(host.sends()).containsExactly("1 SEND");
    assertThat(host.drops("NOT_OUR_ADDRESS")).isOne();
  }

  private void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  @Test
  void refusesAnMtuOutOfRange() {
    assertRefused(Errno.EINVAL, "335 is not 336 to 1500", () -> device.setMtu(1, 335));
    assertRefused(Errno.EINVAL, "1501 is not 336 to", () -> device.setMtu(1, 1_501));
    assertRefused(Errno.EINVAL, "port 0 is not", () -> device.setMtu(0, NETWORK_MTU));
  }

  @Test
  void theMtuBoundsDatagramsAtOnce() {
    try (Pair pair = Pair.on(LinkForm.OBJECTS).type(QpType.UD).connect()) {
      SendWr send = SendWr.send(1, pair.a().region().sge(0, 1_000));
      pair.a().postSend(send);
      assertThat(pair.a().sends()).containsExactly("1 SEND");

      EmulatedDevice.of(pair.a().context().device()).setMtu(1, 600);
      pair.a().postSend(send);

      assertThat(pair.a().sends()).containsExactly("1 LOC_LEN_ERR");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Raw packets on a network that is no Ethernet segment: they stay in the device. */
final class RawLoopbackTest {
  private static final String UNKNOWN_MAC = "02:00:0a:00:00:99";
  private static final DeviceProfile LOOPING = DeviceProfile.standard().withRawLoopback();

  private final Fabric fabric = new WithoutSegment(LinkForm.OBJECTS.fabric());
  @AutoClose private final Emulator emulator = Emulator.on(fabric);

  private static final class WithoutSegment extends ForwardingFabric {
    WithoutSegment(Fabric fabric) {
      super(fabric);
    }

    @Override
    public boolean hasSegment() {
      return false;
    }
  }

  private void send(RawHost from, String destination) {
    from.send(1, Frames.PLAIN.to(destination));
    new VirtualTime(fabric.scheduler()).drain();
  }

  @Test
  void frameReachesAFlowOfTheSameDeviceWhateverItsAddress() {
    RawHost host = new RawHost(emulator.addDevice(LOOPING, "10.0.0.1"));
    host.steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(UNKNOWN_MAC))));
    host.postRecv(0);

    send(host, UNKNOWN_MAC);

    assertThat(host.receives()).containsExactly("0 RECV 18");
    assertThat(host.slot(0, 18)).isEqualTo(Frames.PLAIN.to(UNKNOWN_MAC));
    assertThat(host.sends()).containsExactly("1 SEND");
  }

  @Test
  void flowThatTakesSomethingElseGetsNothing() {
    RawHost host = new RawHost(emulator.addDevice(LOOPING, "10.0.0.1"));
    host.steer(FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of("02:00:0a:00:00:98"))));
    host.postRecv(0);

    send(host, UNKNOWN_MAC);

    assertThat(host.receives()).isEmpty();
  }

  @Test
  void otherDevicesSeeNothing() {
    RawHost sender = new RawHost(emulator.addDevice(LOOPING, "10.0.0.1"));
    RawHost other = new RawHost(emulator.addDevice(LOOPING, "10.0.0.2"));
    other.steer(FlowAttr.of(FlowAttrType.ALL_DEFAULT));
    other.postRecv(0);

    send(sender, "ff:ff:ff:ff:ff:ff");

    assertThat(other.receives()).isEmpty();
  }

  @Test
  void withoutLoopbackRawPacketsAreNotOffered() {
    assertThat(emulator.addDevice(LOOPING, "10.0.0.1").open().queryDeviceEx().rawPacketCaps())
        .isNotEmpty();

    EmulatedDevice plain = emulator.addDevice("10.0.0.2");

    assertThat(Errnos.of(() -> new RawHost(plain))).isEqualTo(Errno.EOPNOTSUPP);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.verbs.SendWr;
import java.util.List;

/** Three devices on an Ethernet segment, in virtual time, which moves only in {@link #drain}. */
final class Segment implements AutoCloseable {
  private final Fabric fabric;
  private final Emulator emulator;
  private final RawHost a;
  private final RawHost b;
  private final RawHost c;

  Segment(Fabric fabric) {
    this.fabric = fabric;
    emulator = Emulator.on(fabric);
    a = add("10.0.0.1");
    b = add("10.0.0.2");
    c = add("10.0.0.3");
  }

  Segment() {
    this(LinkForm.OBJECTS.fabric());
  }

  /** One more device. */
  RawHost add(String... addresses) {
    return new RawHost(emulator.addDevice(addresses));
  }

  /** One more device, both of whose ports may have addresses. */
  EmulatedDevice addTwoPorts(List<String> port1, List<String> port2) {
    return emulator.addDevice(DeviceProfile.standard(), port1, port2);
  }

  RawHost a() {
    return a;
  }

  RawHost b() {
    return b;
  }

  RawHost c() {
    return c;
  }

  /** Posts requests at a, and lets happen what follows. */
  void send(SendWr... requests) {
    a.qp().postSend(List.of(requests));
    drain();
  }

  /** Lets the network run until nothing is left to happen. */
  void drain() {
    new VirtualTime(fabric.scheduler()).drain();
  }

  @Override
  public void close() {
    emulator.close();
  }
}

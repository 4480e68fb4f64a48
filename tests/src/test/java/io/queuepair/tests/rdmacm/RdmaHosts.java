// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.rdmacm.EmulatedRdmaCm;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;

/** Two hosts with a device each, and a channel each. */
final class RdmaHosts implements AutoCloseable {
  static final int PORT = 7471;
  static final Duration SOON = Duration.ofSeconds(2);

  final Emulator emulator;
  final EmulatedDevice deviceA;
  final EmulatedDevice deviceB;
  final RdmaCm a;
  final RdmaCm b;
  final RdmaEventChannel channelA;
  final RdmaEventChannel channelB;
  final String addressA;
  final String addressB;

  RdmaHosts() {
    this(InMemoryFabric.virtualTime(), "10.0.0.1", "10.0.0.2");
  }

  RdmaHosts(Fabric fabric, String addressA, String addressB) {
    this(fabric, DeviceProfile.standard(), addressA, addressB);
  }

  RdmaHosts(Fabric fabric, DeviceProfile profile, String addressA, String addressB) {
    this(Emulator.on(fabric), profile, addressA, addressB);
  }

  /** On an emulator without devices, which it closes. */
  RdmaHosts(Emulator emulator) {
    this(emulator, DeviceProfile.standard(), "10.0.0.1", "10.0.0.2");
  }

  private RdmaHosts(Emulator emulator, DeviceProfile profile, String addressA, String addressB) {
    this.emulator = emulator;
    this.addressA = addressA;
    this.addressB = addressB;
    deviceA = emulator.addDevice(profile, addressA);
    deviceB = emulator.addDevice(profile, addressB);
    a = emulator.rdmaCm(deviceA);
    b = emulator.rdmaCm(deviceB);
    channelA = a.createEventChannel();
    channelB = b.createEventChannel();
  }

  InetSocketAddress toB() {
    return new InetSocketAddress(addressB, PORT);
  }

  /** An id of the second host that listens. */
  RdmaCmId listener(RdmaPortSpace space, int backlog) {
    RdmaCmId id = channelB.createId(space);
    id.bindAddr(toB());
    id.listen(backlog);
    return id;
  }

  /** An id of the first host with a route to the second. */
  RdmaCmId routed(RdmaPortSpace space) {
    RdmaCmId id = channelA.createId(space);
    id.resolveAddr(null, toB(), SOON);
    expect(channelA, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(SOON);
    expect(channelA, RdmaCmEventType.ROUTE_RESOLVED, id);
    return id;
  }

  /** The same with a queue pair. */
  RdmaCmId active() {
    RdmaCmId id = routed(RdmaPortSpace.TCP);
    id.createQp(null, attr(QpType.RC));
    return id;
  }

  static QpInitAttr attr(QpType type) {
    return new QpInitAttr(type, null, null, null, new QpCap(4, 4, 2, 2, 0), true);
  }

  /** Takes the next request of the second host and gives it a queue pair. */
  RdmaCmId request() {
    try (RdmaCmEvent event = channelB.getCmEvent()) {
      assertThat(event.event()).isEqualTo(RdmaCmEventType.CONNECT_REQUEST);
      RdmaCmId id = event.id();
      id.createQp(null, attr(id.qpType()));
      return id;
    }
  }

  static void expect(RdmaEventChannel channel, RdmaCmEventType type, RdmaCmId id) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      assertThat(event.event()).as(event.explain()).isEqualTo(type);
      assertThat(event.id()).isSameAs(id);
    }
  }

  static RdmaCmEvent next(RdmaEventChannel channel) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      return event;
    }
  }

  /** Both ends of a connection. */
  RdmaCmId[] connected() {
    RdmaCmId listener = listener(RdmaPortSpace.TCP, 8);
    RdmaCmId active = active();
    active.connect(RdmaConnParam.of(2, 3));
    RdmaCmId passive = request();
    passive.accept();
    expect(channelA, RdmaCmEventType.ESTABLISHED, active);
    expect(channelB, RdmaCmEventType.ESTABLISHED, passive);
    listener.close();
    return new RdmaCmId[] {active, passive};
  }

  /** How many ids and ends of connections both hosts have. */
  String census() {
    return census(a) + " | " + census(b);
  }

  private static String census(RdmaCm host) {
    EmulatedRdmaCm emulated = (EmulatedRdmaCm) host;
    return emulated.idCount() + " ids, " + emulated.endCount() + " ends";
  }

  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  @Override
  public void close() {
    emulator.close();
  }
}

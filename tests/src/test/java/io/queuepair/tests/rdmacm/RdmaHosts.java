// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
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
  static final RdmaConnParam NOTHING = RdmaConnParam.of(0, 0);

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
    this(InMemoryFabric.virtualTime());
  }

  RdmaHosts(Fabric fabric) {
    this(fabric, DeviceProfile.standard(), "10.0.0.1", "10.0.0.2");
  }

  RdmaHosts(Fabric fabric, DeviceProfile profile, String addressA, String addressB) {
    emulator = Emulator.on(fabric);
    this.addressA = addressA;
    this.addressB = addressB;
    deviceA = emulator.addDevice(profile, addressA);
    deviceB = emulator.addDevice(profile, addressB);
    a = emulator.rdmaCm(deviceA);
    b = emulator.rdmaCm(deviceB);
    channelA = a.createEventChannel();
    channelB = b.createEventChannel();
  }

  static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(host, port);
  }

  InetSocketAddress toB() {
    return address(addressB, PORT);
  }

  void inject(String plan) {
    emulator.injectFaults(FaultPlan.parse(plan));
  }

  /** Milliseconds of the network, which all clocks of devices show. */
  long now() {
    return Duration.ofNanos(a.getDevices().get(0).queryRtValuesEx().rawClock()).toMillis();
  }

  /** An id of the second host that listens. */
  RdmaCmId listener(RdmaPortSpace space, int backlog) {
    return listening(channelB.createId(space), toB(), backlog);
  }

  static RdmaCmId listening(RdmaCmId id, InetSocketAddress address, int backlog) {
    id.bindAddr(address);
    id.listen(backlog);
    return id;
  }

  /** An id of the first host with a route to the second. */
  RdmaCmId routed(RdmaPortSpace space) {
    return routed(channelA, channelA.createId(space), toB());
  }

  static RdmaCmId routed(RdmaEventChannel channel, RdmaCmId id, InetSocketAddress to) {
    id.resolveAddr(null, to, SOON);
    next(channel, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(SOON);
    next(channel, RdmaCmEventType.ROUTE_RESOLVED, id);
    return id;
  }

  /** Creates an id with a queue pair. */
  RdmaCmId active() {
    return withQp(routed(RdmaPortSpace.TCP));
  }

  static RdmaCmId withQp(RdmaCmId id) {
    id.createQp(null, attr(id.qpType()));
    return id;
  }

  static QpInitAttr attr(QpType type) {
    return new QpInitAttr(type, null, null, null, new QpCap(4, 4, 2, 2, 0), true);
  }

  /** An endpoint for the port of the second host, with its events on a channel. */
  static RdmaCmId endpoint(RdmaEventChannel channel, RdmaCm host, RdmaAddrinfo hints) {
    RdmaCmId id = host.createEp(host.getaddrinfo("10.0.0.2", "7471", hints).get(0), null, null);
    id.migrate(channel);
    return id;
  }

  /** Lets the second host listen for queue pairs of a type. */
  RdmaCmId listener(QpType type) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE);
    RdmaCmId id = endpoint(channelB, b, hints.withQpType(type));
    id.listen(1);
    return id;
  }

  /** An id of the first host with a queue pair of a type. */
  RdmaCmId active(QpType type) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP).withQpType(type);
    return withQp(endpoint(channelA, a, hints));
  }

  /** An id of the first host that asks the second, which listens. */
  RdmaCmId connecting() {
    listener(RdmaPortSpace.TCP, 8);
    RdmaCmId id = active();
    id.connect(NOTHING);
    return id;
  }

  /** Takes the next request of the second host and gives it a queue pair. */
  RdmaCmId request() {
    return withQp(atB(RdmaCmEventType.CONNECT_REQUEST).id());
  }

  /** The next event of a channel, acknowledged. */
  static RdmaCmEvent next(RdmaEventChannel channel, RdmaCmEventType type) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      assertThat(event.event()).as(event.explain()).isEqualTo(type);
      return event;
    }
  }

  static void next(RdmaEventChannel channel, RdmaCmEventType type, RdmaCmId id) {
    assertThat(next(channel, type).id()).isSameAs(id);
  }

  RdmaCmEvent atA(RdmaCmEventType type) {
    return next(channelA, type);
  }

  RdmaCmEvent atA(RdmaCmEventType type, int status) {
    RdmaCmEvent event = atA(type);
    assertThat(event.status()).isEqualTo(status);
    return event;
  }

  void atA(RdmaCmEventType type, RdmaCmId id) {
    next(channelA, type, id);
  }

  RdmaCmEvent atB(RdmaCmEventType type) {
    return next(channelB, type);
  }

  RdmaCmEvent atB(RdmaCmEventType type, int status) {
    RdmaCmEvent event = atB(type);
    assertThat(event.status()).isEqualTo(status);
    return event;
  }

  void atB(RdmaCmEventType type, RdmaCmId id) {
    next(channelB, type, id);
  }

  /** Both ends of a connection. */
  RdmaCmId[] connected() {
    return connected(RdmaConnParam.of(2, 3), RdmaConnParam.of(3, 2));
  }

  RdmaCmId[] connected(RdmaConnParam asked, RdmaConnParam granted) {
    RdmaCmId listener = listener(RdmaPortSpace.TCP, 8);
    RdmaCmId[] ends = connected(active(), asked, granted);
    listener.close();
    return ends;
  }

  /** Connects from an id that has a route or a queue pair. */
  RdmaCmId[] connected(RdmaCmId active, RdmaConnParam asked, RdmaConnParam granted) {
    active.connect(asked);
    RdmaCmId passive = request();
    passive.accept(granted);
    atA(RdmaCmEventType.ESTABLISHED, active);
    atB(RdmaCmEventType.ESTABLISHED, passive);
    return new RdmaCmId[] {active, passive};
  }

  /** How many ids and ends of connections both hosts have. */
  String census() {
    return census(a) + " | " + census(b);
  }

  private static String census(RdmaCm host) {
    EmulatedHost emulated = (EmulatedHost) host;
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.bench;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Sets up and closes connections through the connection manager, one after the other: resolves
 * address and route, creates queue pairs at both ends, connects, accepts, disconnects, and destroys
 * all objects. One thread plays both sides.
 */
final class ConnectionLoad implements Load {
  private static final int PORT = 7471;
  private static final Duration SOON = Duration.ofSeconds(2);

  private final Emulator[] emulators;
  private final InetSocketAddress there;
  private final RdmaEventChannel active;
  private final RdmaEventChannel passive;
  private final QpInitAttr activeQp;
  private final QpInitAttr passiveQp;

  /** Starts two devices, of which the second listens. */
  ConnectionLoad(BenchmarkNetwork network) {
    emulators = network.open();
    EmulatedDevice first = emulators[0].addDevice(BenchmarkNetwork.address(0));
    EmulatedDevice second = emulators[1].addDevice(BenchmarkNetwork.address(1));
    there = new InetSocketAddress(BenchmarkNetwork.address(1), PORT);
    RdmaCm firstHost = emulators[0].rdmaCm(first);
    RdmaCm secondHost = emulators[1].rdmaCm(second);
    active = firstHost.createEventChannel();
    passive = secondHost.createEventChannel();
    RdmaCmId listener = passive.createId(RdmaPortSpace.TCP);
    listener.bindAddr(there);
    listener.listen(0);
    activeQp = QpInitAttr.rc(cq(firstHost), QpCap.of(1));
    passiveQp = QpInitAttr.rc(cq(secondHost), QpCap.of(1));
  }

  private static CompletionQueue cq(RdmaCm host) {
    return host.getDevices().get(0).createCq(1);
  }

  @Override
  public long run(long nanos) {
    long end = System.nanoTime() + nanos;
    long connections = 0;
    while (System.nanoTime() - end < 0) {
      connectOnce();
      connections++;
    }
    return connections;
  }

  private void connectOnce() {
    RdmaCmId here = active.createId(RdmaPortSpace.TCP);
    here.resolveAddr(null, there, SOON);
    expect(active, RdmaCmEventType.ADDR_RESOLVED);
    here.resolveRoute(SOON);
    expect(active, RdmaCmEventType.ROUTE_RESOLVED);
    here.createQp(null, activeQp);
    here.connect(RdmaConnParam.of(1, 1));
    RdmaCmId accepted = expect(passive, RdmaCmEventType.CONNECT_REQUEST);
    accepted.createQp(null, passiveQp);
    accepted.accept();
    expect(active, RdmaCmEventType.ESTABLISHED);
    expect(passive, RdmaCmEventType.ESTABLISHED);
    here.disconnect();
    expect(passive, RdmaCmEventType.DISCONNECTED);
    accepted.close();
    expect(active, RdmaCmEventType.DISCONNECTED);
    here.close();
  }

  private static RdmaCmId expect(RdmaEventChannel channel, RdmaCmEventType type) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      if (event.event() != type) {
        throw new IllegalStateException(event.explain());
      }
      return event.id();
    }
  }

  @Override
  public void close() {
    emulators[0].close();
    emulators[1].close();
  }
}

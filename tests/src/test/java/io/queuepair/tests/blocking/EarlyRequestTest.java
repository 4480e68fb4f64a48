// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A request arrives while the connection manager of a host begins its work. */
@Timeout(30)
final class EarlyRequestTest {
  private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", 7471);
  private static final Duration SOON = Duration.ofSeconds(2);

  private boolean isBeginning;

  private static RdmaCmEventType next(RdmaEventChannel channel) {
    try (RdmaCmEvent event = channel.getCmEvent()) {
      return event.event();
    }
  }

  /** The network moves between any two steps of the host, as one with a thread of its own may. */
  private Fabric restless(InMemoryFabric network) {
    Scheduler watched =
        WatchedScheduler.of(
            network.scheduler(),
            call -> {
              if (isBeginning && call.equals("release")) {
                while (network.scheduler().runReady()) {}
              }
            });
    return new ForwardingFabric(network) {
      @Override
      public Scheduler scheduler() {
        return watched;
      }
    };
  }

  private static RdmaEventChannel request(RdmaCm client) {
    RdmaEventChannel channel = client.createEventChannel();
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, SERVER, SOON);
    assertThat(next(channel)).isEqualTo(RdmaCmEventType.ADDR_RESOLVED);
    id.resolveRoute(SOON);
    assertThat(next(channel)).isEqualTo(RdmaCmEventType.ROUTE_RESOLVED);
    id.createQp(null, new QpInitAttr(QpType.RC, null, null, null, QpCap.of(1), true));
    id.connect();
    return channel;
  }

  @Test
  void holdsNothingUp() {
    try (Emulator emulator = Emulator.on(restless(InMemoryFabric.virtualTime()))) {
      RdmaCm client = emulator.rdmaCm(emulator.addDevice("10.0.0.1"));
      EmulatedDevice server = emulator.addDevice("10.0.0.2");
      request(client);

      isBeginning = true;
      emulator.rdmaCm(server);
      isBeginning = false;

      assertThat(next(request(client))).isEqualTo(RdmaCmEventType.REJECTED);
    }
  }
}

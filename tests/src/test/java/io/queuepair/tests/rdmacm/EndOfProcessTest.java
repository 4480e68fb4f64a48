// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.DISCONNECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes on one network, in virtual time: one ends, the other is to notice. */
final class EndOfProcessTest {
  private static final InetSocketAddress SERVER = new InetSocketAddress("10.0.0.2", 7471);

  /** Less than the 4096 ms after which a message is sent again. */
  private static final Duration WITHOUT_RETRY = Duration.ofSeconds(1);

  private final InMemoryFabric network = InMemoryFabric.virtualTime();
  private final Emulator clients = Emulator.on(new Shared(network));
  private final Emulator servers = Emulator.on(new Shared(network));
  private final RdmaCm client = hostOf(clients, "10.0.0.1");
  private final RdmaCm server = hostOf(servers, "10.0.0.2");
  private final RdmaEventChannel ofClient = client.createEventChannel();
  private final RdmaEventChannel ofServer = server.createEventChannel();
  private RdmaCmId active;
  private RdmaCmId passive;

  /** A network that stays when one of its emulators is closed. */
  private static final class Shared extends ForwardingFabric {
    Shared(Fabric fabric) {
      super(fabric);
    }

    @Override
    public void close() {}
  }

  private static RdmaCm hostOf(Emulator emulator, String address) {
    return emulator.rdmaCm(emulator.addDevice(address));
  }

  @AfterEach
  void close() {
    clients.close();
    servers.close();
    network.close();
  }

  private void request() {
    RdmaHosts.listening(ofServer.createId(RdmaPortSpace.TCP), SERVER, 1);
    active = RdmaHosts.routed(ofClient, ofClient.createId(RdmaPortSpace.TCP), SERVER);
    RdmaHosts.withQp(active).connect();
  }

  private void connect() {
    request();
    passive = RdmaHosts.withQp(RdmaHosts.next(ofServer, CONNECT_REQUEST).id());
    passive.accept();
    RdmaHosts.next(ofClient, ESTABLISHED, active);
    RdmaHosts.next(ofServer, ESTABLISHED, passive);
  }

  private static void assertNextIs(RdmaCmEventType type, RdmaEventChannel channel) {
    try (RdmaCmEvent event = channel.getCmEvent(WITHOUT_RETRY).orElseThrow()) {
      assertThat(event.event()).isEqualTo(type);
      assertThat(event.status()).isZero();
    }
  }

  @Test
  void aSideThatEndsHasDisconnected() {
    connect();

    clients.close();

    assertNextIs(DISCONNECTED, ofServer);
  }
}

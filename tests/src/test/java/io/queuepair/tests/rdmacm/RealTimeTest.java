// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads at both ends, in memory and over UDP: synchronous ids, channels that wake and end. */
@Timeout(60)
final class RealTimeTest {
  private static final String ADDRESS_A = "127.0.0.101";
  private static final String ADDRESS_B = "127.0.0.102";

  /** The networks on which threads run at the same time. */
  enum Network {
    MEMORY,
    UDP;

    private RdmaHosts hosts() {
      return new RdmaHosts(fabric(), ADDRESS_A, ADDRESS_B);
    }

    private Fabric fabric() {
      return switch (this) {
        case MEMORY -> InMemoryFabric.realTime();
        case UDP -> UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of(ADDRESS_A)));
      };
    }
  }

  private static RdmaAddrinfo info(RdmaCm host, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags);
    return host.getaddrinfo(ADDRESS_B, "7471", hints).get(0);
  }

  private static int serve(RdmaCmId listener) {
    try (RdmaCmId id = listener.getRequest()) {
      ByteBuffer received = ByteBuffer.allocateDirect(8);
      id.postRecv(1, id.regMsgs(received).sge());
      id.accept();
      assertThat(id.event().event()).isEqualTo(RdmaCmEventType.ESTABLISHED);
      assertThat(id.getRecvComp().wrId()).isEqualTo(1);
      return received.getInt(0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void endpointsConnectAndCarryAMessage(Network network) throws Exception {
    try (RdmaHosts hosts = network.hosts()) {
      RdmaAddrinfo passive = info(hosts.b, RdmaAddrinfoFlag.PASSIVE);
      RdmaCmId listener = hosts.b.createEp(passive, null, RdmaHosts.attr(QpType.RC));
      listener.listen(1);
      CompletableFuture<Integer> served = CompletableFuture.supplyAsync(() -> serve(listener));

      RdmaCmId id = hosts.a.createEp(info(hosts.a), null, RdmaHosts.attr(QpType.RC));
      id.connect();
      id.postSend(2, id.regMsgs(ByteBuffer.allocateDirect(8).putInt(0, 42)).sge());

      assertThat(id.getSendComp().wrId()).isEqualTo(2);
      assertThat(served.get(30, TimeUnit.SECONDS)).isEqualTo(42);
      id.close();
      listener.close();
    }
  }

  /** The peer of a process that was killed knows its queue pair still, by a number. */
  @Test
  void aProcessAfterAKilledOneIsNoStaleConnection() {
    UdpOptions options = UdpOptions.defaults().withPort(FreePort.of(ADDRESS_A));
    try (Emulator server = Emulator.on(UdpFabric.open(options))) {
      RdmaEventChannel channel = server.rdmaCm(server.addDevice(ADDRESS_B)).createEventChannel();
      RdmaCmId listener = channel.createId(RdmaPortSpace.TCP);
      listener.bindAddr(new InetSocketAddress(ADDRESS_B, RdmaHosts.PORT));
      listener.listen(4);
      try (Emulator killed = Emulator.on(UdpFabric.open(options))) {
        connect(killed.rdmaCm(killed.addDevice(ADDRESS_A)));
        accept(channel);
        killed.injectFaults(FaultPlan.parse("drop CM"));
      }

      try (Emulator next = Emulator.on(UdpFabric.open(options))) {
        RdmaEventChannel events = connect(next.rdmaCm(next.addDevice(ADDRESS_A)));
        accept(channel);
        RdmaCmEvent event = RdmaHosts.next(events);
        assertThat(event.event()).as(event.explain()).isEqualTo(RdmaCmEventType.ESTABLISHED);
      }
    }
  }

  private static void accept(RdmaEventChannel channel) {
    RdmaCmEvent request = RdmaHosts.next(channel);
    while (request.event() != RdmaCmEventType.CONNECT_REQUEST) {
      request = RdmaHosts.next(channel);
    }
    request.id().createQp(null, RdmaHosts.attr(QpType.RC));
    request.id().accept();
  }

  private static RdmaEventChannel connect(RdmaCm host) {
    RdmaEventChannel channel = host.createEventChannel();
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress(ADDRESS_B, RdmaHosts.PORT), RdmaHosts.SOON);
    RdmaHosts.expect(channel, RdmaCmEventType.ADDR_RESOLVED, id);
    id.resolveRoute(RdmaHosts.SOON);
    RdmaHosts.expect(channel, RdmaCmEventType.ROUTE_RESOLVED, id);
    id.createQp(null, RdmaHosts.attr(QpType.RC));
    id.connect();
    return channel;
  }

  @ParameterizedTest
  @EnumSource
  void nobodyListensIsConnectionRefused(Network network) {
    try (RdmaHosts hosts = network.hosts()) {
      RdmaCmId id = hosts.a.createEp(info(hosts.a), null, RdmaHosts.attr(QpType.RC));

      assertThatThrownBy(id::connect)
          .isInstanceOfSatisfying(
              VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ECONNREFUSED))
          .hasMessageContaining("no program listens");
      assertThat(id.event().event()).isEqualTo(RdmaCmEventType.REJECTED);
      id.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyConnectionsFollowEachOther(Network network) {
    try (RdmaHosts hosts = network.hosts()) {
      hosts.listener(RdmaPortSpace.TCP, 8);
      for (int round = 0; round < 50; round++) {
        RdmaCmId active = hosts.active();
        active.connect();
        RdmaCmId passive = hosts.request();
        passive.accept();
        RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
        RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
        active.disconnect();
        RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, passive);
        passive.close();
        RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, active);
        active.close();
      }
    }
  }

  @Test
  void aChannelThatIsDestroyedWakesItsWaiter() {
    try (RdmaHosts hosts = Network.MEMORY.hosts()) {
      CompletableFuture<RdmaCmEvent> waits =
          CompletableFuture.supplyAsync(hosts.channelA::getCmEvent);

      hosts.channelA.close();

      assertThatThrownBy(() -> waits.get(30, TimeUnit.SECONDS))
          .hasRootCauseInstanceOf(VerbsException.class)
          .hasMessageContaining("the event channel was destroyed");
    }
  }

  @Test
  void aThreadThatWaitsCanBeInterrupted() throws InterruptedException {
    try (RdmaHosts hosts = Network.MEMORY.hosts()) {
      CompletableFuture<Throwable> outcome = new CompletableFuture<>();
      Thread waiter =
          new Thread(
              () -> {
                try {
                  hosts.channelA.getCmEvent();
                } catch (VerbsException interrupted) {
                  outcome.complete(interrupted);
                }
              });
      waiter.start();

      waiter.interrupt();

      assertThat(outcome.join()).hasMessageContaining("EINTR");
      waiter.join();
    }
  }

  @Test
  void theHostOfThisProcessIsFound() {
    RdmaCm host = RdmaCm.find().orElseThrow();

    assertThat(RdmaCm.find()).containsSame(host);
    assertThat(host.getDevices()).hasSize(2);
    try (RdmaCmId id = host.createId(RdmaPortSpace.TCP)) {
      id.resolveAddr(null, new InetSocketAddress("10.0.0.2", 1), RdmaHosts.SOON);
      assertThat(id.event().event()).isEqualTo(RdmaCmEventType.ADDR_RESOLVED);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_RESOLVED;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.tests.rdmacm.RdmaHosts.attr;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LateDoorbells;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Threads at both ends, in memory and over UDP: synchronous ids, channels that wake and end. */
@Timeout(60)
final class RealTimeTest {
  private static final String ADDRESS_A = "127.0.0.101";
  private static final String ADDRESS_B = "127.0.0.102";
  private static final Set<Thread.State> ASLEEP =
      Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  enum Network {
    MEMORY,
    UDP,
    VIRTUAL,
    VIRTUAL_LATE_DOORBELLS;

    private RdmaHosts hosts() {
      return new RdmaHosts(fabric(), DeviceProfile.standard(), ADDRESS_A, ADDRESS_B);
    }

    private Fabric fabric() {
      return switch (this) {
        case MEMORY -> InMemoryFabric.realTime();
        case UDP -> UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of(ADDRESS_A)));
        case VIRTUAL -> InMemoryFabric.virtualTime();
        case VIRTUAL_LATE_DOORBELLS -> new LateDoorbells(InMemoryFabric.virtualTime());
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
      assertThat(id.event().event()).isEqualTo(ESTABLISHED);
      assertThat(id.getRecvComp().wrId()).isEqualTo(1);
      return received.getInt(0);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "UDP"})
  void endpointsConnectAndCarryAMessage(Network network) throws Exception {
    try (RdmaHosts hosts = network.hosts()) {
      RdmaAddrinfo passive = info(hosts.b, RdmaAddrinfoFlag.PASSIVE);
      RdmaCmId listener = hosts.b.createEp(passive, null, attr(QpType.RC));
      listener.listen(1);
      CompletableFuture<Integer> served = CompletableFuture.supplyAsync(() -> serve(listener));

      RdmaCmId id = hosts.a.createEp(info(hosts.a), null, attr(QpType.RC));
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
      RdmaHosts.listening(
          channel.createId(RdmaPortSpace.TCP), address(ADDRESS_B, RdmaHosts.PORT), 4);
      try (Emulator killed = Emulator.on(UdpFabric.open(options))) {
        connect(killed.rdmaCm(killed.addDevice(ADDRESS_A)));
        accept(channel);
        killed.injectFaults(FaultPlan.parse("drop CM"));
      }

      try (Emulator next = Emulator.on(UdpFabric.open(options))) {
        RdmaEventChannel events = connect(next.rdmaCm(next.addDevice(ADDRESS_A)));
        accept(channel);

        RdmaHosts.next(events, ESTABLISHED);
      }
    }
  }

  private static void accept(RdmaEventChannel channel) {
    RdmaCmEvent request = channel.getCmEvent();
    while (request.event() != CONNECT_REQUEST) {
      request.ack();
      request = channel.getCmEvent();
    }
    request.ack();
    RdmaHosts.withQp(request.id()).accept();
  }

  private static RdmaEventChannel connect(RdmaCm host) {
    RdmaEventChannel channel = host.createEventChannel();
    RdmaCmId id = channel.createId(RdmaPortSpace.TCP);
    RdmaHosts.routed(channel, id, address(ADDRESS_B, RdmaHosts.PORT));
    RdmaHosts.withQp(id).connect();
    return channel;
  }

  @ParameterizedTest
  @EnumSource(names = {"MEMORY", "UDP"})
  void nobodyListensIsConnectionRefused(Network network) {
    try (RdmaHosts hosts = network.hosts();
        RdmaCmId id = hosts.a.createEp(info(hosts.a), null, attr(QpType.RC))) {
      assertRefused(Errno.ECONNREFUSED, "no program listens", id::connect);
      assertThat(id.event().event()).isEqualTo(REJECTED);
    }
  }

  private enum Ending {
    DISCONNECT,
    DESTROY_QP,
    DESTROY_ID;

    void end(RdmaCmId id) {
      switch (this) {
        case DISCONNECT -> id.disconnect();
        case DESTROY_QP -> id.destroyQp();
        case DESTROY_ID -> id.close();
      }
    }
  }

  static Stream<Arguments> endings() {
    return Stream.of(Network.UDP, Network.VIRTUAL, Network.VIRTUAL_LATE_DOORBELLS)
        .flatMap(network -> Stream.of(Ending.values()).map(end -> Arguments.of(network, end)));
  }

  @ParameterizedTest
  @MethodSource("endings")
  void whatIsPostedRightBeforeAConnectionEndsArrives(Network network, Ending ending) {
    try (RdmaHosts hosts = network.hosts()) {
      RdmaCmId[] ends = hosts.connected();
      MemoryRegion received = ends[1].regMsgs(ByteBuffer.allocateDirect(64));
      ends[1].postRecv(1, received.sge());

      ends[0].postSend(2, ends[0].regMsgs(ByteBuffer.allocateDirect(64).putInt(0, 42)).sge());
      ending.end(ends[0]);

      WorkCompletion completion = ends[1].getRecvComp();
      assertThat(completion.isSuccess()).as(completion.explain()).isTrue();
      assertThat(received.buffer().getInt(0)).isEqualTo(42);
    }
  }

  /** Starts a thread, which does not return before it sleeps in the call, as nothing ever comes. */
  private static Thread asleepIn(Runnable call, CompletableFuture<Throwable> outcome) {
    Thread waiter = new Thread(() -> outcome.complete(catchThrowable(call::run)));
    waiter.start();
    while (!ASLEEP.contains(waiter.getState())) {
      Thread.onSpinWait();
    }
    return waiter;
  }

  private static RdmaCmId listener(RdmaHosts hosts) {
    return RdmaHosts.listening(hosts.b.createId(RdmaPortSpace.TCP), hosts.toB(), 1);
  }

  private static RdmaCmId unanswered(RdmaHosts hosts) {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.a.createId(RdmaPortSpace.TCP);
    active.resolveAddr(null, hosts.toB(), SOON);
    active.resolveRoute(SOON);
    return RdmaHosts.withQp(active);
  }

  @Test
  void whatIsDestroyedWakesItsWaiter() {
    try (RdmaHosts hosts = Network.MEMORY.hosts()) {
      RdmaCmId listener = listener(hosts);
      assertWakes(listener::getRequest, listener::close, "EINVAL: the id was destroyed");
      RdmaCmId active = unanswered(hosts);
      assertWakes(active::connect, active::close, "EINVAL: the id was destroyed");
      RdmaEventChannel channel = hosts.channelA;
      assertWakes(channel::getCmEvent, channel::close, "the event channel was destroyed");
    }
  }

  private static void assertWakes(Runnable waits, Runnable destroys, String words) {
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    asleepIn(waits, outcome);
    destroys.run();
    assertThat(outcome.join()).isInstanceOf(VerbsException.class).hasMessageContaining(words);
  }

  @Test
  void aThreadThatWaitsCanBeInterrupted() {
    try (RdmaHosts hosts = Network.MEMORY.hosts()) {
      RdmaCmId listener = listener(hosts);
      for (Runnable waits : List.<Runnable>of(listener::getRequest, hosts.channelA::getCmEvent)) {
        CompletableFuture<Throwable> outcome = new CompletableFuture<>();
        asleepIn(waits, outcome).interrupt();
        assertThat(outcome.join()).hasMessageContaining("EINTR");
      }
    }
  }

  @Test
  void theHostOfThisProcessIsFound() {
    RdmaCm host = RdmaCm.find().orElseThrow();
    assertThat(RdmaCm.find()).containsSame(host);
    assertThat(host.getDevices()).hasSize(2);
    try (RdmaCmId id = host.createId(RdmaPortSpace.TCP)) {
      id.resolveAddr(null, address("10.0.0.2", 1), SOON);
      assertThat(id.event().event()).isEqualTo(ADDR_RESOLVED);
    }
  }
}

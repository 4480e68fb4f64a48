// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static io.queuepair.udp.LoopbackAddresses.A;
import static io.queuepair.udp.LoopbackAddresses.B;
import static io.queuepair.udp.LoopbackAddresses.V6;
import static io.queuepair.udp.LoopbackAddresses.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.umad.Umad;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Getting an address, being refused one, and giving it back. */
final class UdpAttachTest {
  private final RecordingStation a = new RecordingStation();
  private final RecordingStation b = new RecordingStation();

  @Test
  void usesThePortOfRoceByDefault() {
    assertThat(UdpOptions.defaults().port()).isEqualTo(4791);
  }

  @ParameterizedTest
  @EnumSource
  void describesTheLink(UdpOptions.Transport transport) throws SocketException {
    UdpOptions options = LoopbackAddresses.options(transport);
    try (UdpFabric fabric = UdpFabric.open(options)) {
      Link link = fabric.attach(A, a);

      var loopback = NetworkInterface.getByInetAddress(LoopbackAddresses.address("127.0.0.1"));
      assertThat(fabric.form()).isEqualTo(Fabric.PacketForm.ENCODED);
      assertThat(fabric.mtuBytes(A)).isEqualTo(loopback.getMTU());
      assertThat(fabric.sourcePort()).isEqualTo(options.port());
      assertThat(link.isWritable()).isTrue();
      assertThat(fabric.scheduler().progressMode()).isEqualTo(Scheduler.ProgressMode.BACKGROUND);
      assertThat(fabric.scheduler().runNext()).isFalse();
    }
  }

  /** Linux counts its own bookkeeping too and doubles what it is asked for. */
  @ParameterizedTest
  @EnumSource
  void holdsWhatTheKernelGranted(UdpOptions.Transport transport) {
    int asked = 64 << 10;
    UdpOptions options = LoopbackAddresses.options(transport).withReceiveBufferBytes(asked);
    try (UdpFabric fabric = UdpFabric.open(options)) {
      fabric.attach(A, a);
      assertThat(fabric.receiveBufferBytes(A)).isBetween((long) asked, 2L * asked);
    }
  }

  @Test
  void takesOneSegmentWithoutOffload() {
    UdpOptions epoll = LoopbackAddresses.options(UdpOptions.Transport.EPOLL);
    UdpOptions nio = LoopbackAddresses.options(UdpOptions.Transport.NIO);
    try (UdpFabric offloading = UdpFabric.open(epoll);
        UdpFabric plain = UdpFabric.open(epoll.withSegmentationOffload(false));
        UdpFabric portable = UdpFabric.open(nio)) {
      assertThat(offloading.attach(A, a).maxSegments()).isEqualTo(64);
      assertThat(plain.attach(B, a).maxSegments()).isEqualTo(1);
      assertThat(portable.attach(A, a).maxSegments()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesATakenPort(UdpOptions.Transport transport) {
    UdpOptions options = LoopbackAddresses.options(transport);
    try (UdpFabric first = UdpFabric.open(options);
        UdpFabric second = UdpFabric.open(options)) {
      first.attach(A, a);

      assertThatThrownBy(() -> second.attach(A, b))
          .isInstanceOf(FabricException.class)
          .hasMessageStartingWith(
              "UDP port " + options.port() + " on 127.0.0.50 is already in use: ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void refusesAnAddressOfAnotherHost(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      assertThatThrownBy(() -> fabric.attach(LoopbackAddresses.address("192.0.2.77"), a))
          .isInstanceOf(FabricException.class)
          .hasMessage("192.0.2.77 is not an address of this host");
      assertThatThrownBy(() -> fabric.attach(LoopbackAddresses.address("2001:db8::77"), a))
          .isInstanceOf(FabricException.class)
          .hasMessage("2001:db8:0:0:0:0:0:77 is not an address of this host");
    }
  }

  @Test
  void refusesAnAddressThatManyHave() {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(UdpOptions.Transport.NIO))) {
      assertThatThrownBy(() -> fabric.attach(LoopbackAddresses.address("0.0.0.0"), a))
          .hasMessage("0.0.0.0 is not the address of a single device");
      assertThatThrownBy(() -> fabric.attach(LoopbackAddresses.address("224.0.0.9"), a))
          .hasMessage("224.0.0.9 is not the address of a single device");
    }
  }

  @ParameterizedTest
  @EnumSource
  void loopbackHasNoMulticast(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Link link = fabric.attach(A, a);

      assertThatThrownBy(() -> link.join(LoopbackAddresses.address("239.1.1.1")))
          .isInstanceOf(FabricException.class)
          .hasMessage("lo, the interface of 127.0.0.50, has no multicast");
    }
  }

  /** IPV6_V6ONLY is set: otherwise a socket of all IPv6 addresses has the port of IPv4 too. */
  @Test
  void anIpv6SocketLeavesItsPortToIpv4() {
    UdpOptions options =
        LoopbackAddresses.options(UdpOptions.Transport.EPOLL)
            .withProgress(Scheduler.ProgressMode.CALLER_DRIVEN);
    Sockets sockets = Sockets.of(options);
    UdpContext state = new UdpContext(options, sockets, ProgressLoop.of(options, sockets));
    InetAddress all = LoopbackAddresses.address("::");
    try {
      BoundSockets.open(state, all, new DatagramHandler(all, a, state, false));
      var ipv4 = BoundSockets.open(state, A, new DatagramHandler(A, b, state, false));

      assertThat(ipv4.localAddress()).isEqualTo(new InetSocketAddress(A, options.port()));
    } finally {
      state.loop().close();
    }
  }

  @Test
  void refusesTheSameAddressTwice() {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(UdpOptions.Transport.AUTO))) {
      fabric.attach(V6, a);

      assertThatThrownBy(() -> fabric.attach(V6, b))
          .isInstanceOf(FabricException.class)
          .hasMessage("0:0:0:0:0:0:0:1 is already attached to this network");
    }
  }

  @ParameterizedTest
  @EnumSource
  void attachesAgainAfterTheLinkWasClosed(UdpOptions.Transport transport) {
    try (UdpFabric fabric = UdpFabric.open(LoopbackAddresses.options(transport))) {
      Link link = fabric.attach(A, a);
      link.close();
      link.close();
      link.ringDoorbell();

      Link again = fabric.attach(A, b);
      b.send(again, A, A, payload(20, 1));

      assertThat(b.take(1)).containsExactly(payload(20, 1));
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingTheFabricFreesItsAddresses(UdpOptions.Transport transport) {
    UdpOptions options = LoopbackAddresses.options(transport);
    UdpFabric closed = UdpFabric.open(options);
    Link link = closed.attach(A, a);
    closed.close();
    closed.close();
    link.ringDoorbell();

    try (UdpFabric fabric = UdpFabric.open(options)) {
      Link again = fabric.attach(A, b);

      assertThat(again.isWritable()).isTrue();
      assertThatThrownBy(() -> closed.attach(B, a))
          .isInstanceOf(FabricException.class)
          .hasMessage("The UDP network is closed");
    }
  }

  @Test
  void devicesCanHaveThem() {
    UdpOptions options = UdpOptions.defaults();
    List<String> addresses = options.freeLoopbackAddresses(3);

    assertThat(addresses).doesNotHaveDuplicates().hasSize(3).allMatch(it -> it.startsWith("127."));
    try (Emulator emulator = Emulator.on(UdpFabric.open(options))) {
      addresses.forEach(emulator::addDevice);
      assertThat(emulator.devices()).hasSize(3);
    }
  }

  @Test
  void twoThatLookAtTheSameTimeFindDifferentOnes() {
    UdpOptions options = UdpOptions.defaults();

    assertThat(options.freeLoopbackAddresses(20))
        .doesNotContainAnyElementsOf(options.freeLoopbackAddresses(20));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1_001})
  void refusesNumbersOutOfRange(int count) {
    assertThatThrownBy(() -> UdpOptions.defaults().freeLoopbackAddresses(count))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(count + " addresses are not 1 to 1000");
  }

  private static final int VENDOR_CLASS = 0x30;

  @ParameterizedTest
  @EnumSource
  void oneSendsAndTheOtherAnswersToWhereItCameFrom(UdpOptions.Transport transport) {
    try (Emulator emulator = Emulator.on(UdpFabric.open(LoopbackAddresses.options(transport)))) {
      UmadAgent a = emulator.addDevice("127.0.0.50").registerUmad(1, VENDOR_CLASS);
      UmadAgent b = emulator.addDevice("127.0.0.51").registerUmad(1, VENDOR_CLASS);

      a.send(AhAttr.to(Gid.of(LoopbackAddresses.B)), mad(17));
      Umad request = b.recv();
      b.send(request.from(), mad(18));
      Umad answer = a.recv();

      assertThat(request.mad()).isEqualTo(mad(17));
      assertThat(request.from().grh().dgid()).isEqualTo(Gid.of(LoopbackAddresses.A));
      assertThat(answer.mad()).isEqualTo(mad(18));
    }
  }

  private static ByteBuffer mad(int number) {
    return ByteBuffer.allocate(256).put(1, (byte) VENDOR_CLASS).putInt(252, number);
  }

  @Test
  void anOldJdk() {
    assertThat(NioSockets.needs(false, true)).startsWith("JDK 19 or newer (this is JDK ");
  }

  @Test
  void aModuleThatTheImageDoesNotHold() {
    assertThat(NioSockets.needs(true, false))
        .isEqualTo("the JDK's module jdk.net (add --add-modules jdk.net, to java or to jlink),");
  }

  @Test
  void epollIsTheOtherWayOut() {
    assertThat(new NioSockets(UdpOptions.defaults()).identificationNeeds())
        .contains("or epoll, which needs Linux on x86_64 or aarch64")
        .contains("io.netty.transport.epoll.linux.x86_64");
  }
}

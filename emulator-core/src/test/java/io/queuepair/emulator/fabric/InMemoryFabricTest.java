// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.D;
import static io.queuepair.emulator.observe.TestHosts.GROUP;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Fabric.PacketForm;
import io.queuepair.emulator.fabric.InMemoryOptions.Time;
import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.observe.TestPackets;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class InMemoryFabricTest {
  private final InMemoryFabric fabric = InMemoryFabric.virtualTime();
  private final Recorder a = Recorder.at(fabric, A);
  private final Recorder b = Recorder.at(fabric, B);

  @Test
  void carriesObjectsAndKeepsThePortOfEachPacket() {
    assertThat(fabric.form()).isEqualTo(PacketForm.OBJECTS);
    assertThat(fabric.sourcePort()).isZero();
    assertThat(fabric.mtuBytes(A)).isEqualTo(4_200);
  }

  @Test
  void packetArrivesAfterTheLatency() {
    a.send(delivery(A, B, 7));
    assertThat(b.received()).isEmpty();
    fabric.scheduler().runNext();

    assertThat(b.psns()).containsExactly(7);
    assertThat(fabric.scheduler().nowNanos()).isEqualTo(1_000);
  }

  @Test
  void packetsArriveOneByOneInTheOrderOfSending() {
    a.send(delivery(A, B, 1), delivery(A, B, 2), delivery(A, B, 3));
    drain();

    assertThat(b.psns()).containsExactly(1, 2, 3);
    assertThat(b.receiveCalls()).isEqualTo(3);
  }

  @Test
  void whatIsSentInOneTurnToOneAddressArrivesTogetherIfAskedFor() {
    InMemoryOptions options = InMemoryOptions.virtualTime().withBurstPackets(2);
    try (InMemoryFabric bursts = InMemoryFabric.create(options)) {
      Recorder a = Recorder.at(bursts, A);
      Recorder b = Recorder.at(bursts, B);
      Recorder c = Recorder.at(bursts, C);

      a.send(
          delivery(A, B, 1),
          delivery(A, B, 2),
          delivery(A, B, 3),
          delivery(A, C, 4),
          delivery(A, B, 5));
      while (bursts.scheduler().runNext()) {}

      assertThat(b.psns()).containsExactly(1, 2, 3, 5);
      assertThat(b.receiveCalls()).isEqualTo(3);
      assertThat(c.psns()).containsExactly(4);
      assertThat(bursts.scheduler().nowNanos()).isEqualTo(1_000);
    }
  }

  @Test
  void stationMaySendToItself() {
    a.send(delivery(A, A, 7));
    drain();

    assertThat(a.psns()).containsExactly(7);
  }

  @Test
  void packetToNobodyVanishesAndIsCounted() {
    a.send(delivery(A, C, 7));
    drain();

    assertThat(fabric.lostPackets().known()).isEqualTo(1);
  }

  @Test
  void takenAddressIsRefused() {
    assertThatThrownBy(() -> Recorder.at(fabric, A))
        .isInstanceOf(FabricException.class)
        .hasMessage("10.0.0.1 is taken: another device is attached under it.");
    assertThat(a.received()).isEmpty();
  }

  @Test
  void detachedStationReceivesNothingAndItsAddressIsFree() {
    a.send(delivery(A, B, 7));

    b.link().close();
    Recorder fresh = Recorder.at(fabric, B);
    drain();

    assertThat(b.received()).isEmpty();
    assertThat(fresh.psns()).containsExactly(7);
  }

  @Test
  void detachedStationSendsNothing() {
    a.link().close();
    a.send(delivery(A, B, 7));
    drain();

    assertThat(b.received()).isEmpty();
  }

  @Test
  void everyMemberOfAGroupGetsACopyItsSenderAmongThem() {
    Recorder c = Recorder.at(fabric, C);
    a.link().join(GROUP);
    b.link().join(GROUP);
    b.link().join(GROUP);

    a.send(delivery(A, GROUP, 7));
    drain();

    assertThat(a.psns()).containsExactly(7);
    assertThat(b.psns()).containsExactly(7);
    assertThat(c.received()).isEmpty();
  }

  @Test
  void memberWhoLeftAGroupGetsNothing() {
    Recorder c = Recorder.at(fabric, C);
    Recorder d = Recorder.at(fabric, D);
    b.link().join(GROUP);
    c.link().join(GROUP);
    d.link().join(GROUP);

    c.link().leave(GROUP);
    d.link().close();
    a.send(delivery(A, GROUP, 8));
    drain();

    assertThat(b.psns()).containsExactly(8);
    assertThat(c.received()).isEmpty();
    assertThat(d.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"239.1.1.1", "0.0.0.0", "255.255.255.255", "0:0:0:0:0:0:0:0"})
  void addressOfNoneOrManyIsNoAddressOfADevice(String address) {
    assertThatThrownBy(() -> Recorder.at(fabric, IpAddress.parse(address)))
        .isInstanceOf(FabricException.class)
        .hasMessage(address + " is not the address of a single device");
  }

  @Test
  void frameReachesAllOthersOnTheSegmentAndNobodyElse() {
    Recorder c = Recorder.at(fabric, C);
    Recorder apart = Recorder.at(fabric, D);
    fabric.joinSegment(A);
    fabric.joinSegment(B);
    fabric.joinSegment(C);

    Frame frame = new Frame(A, ByteBuffer.allocate(60));
    a.send(frame);
    drain();

    assertThat(a.received()).isEmpty();
    assertThat(b.received()).containsExactly(frame);
    assertThat(c.received()).containsExactly(frame);
    assertThat(apart.received()).isEmpty();
  }

  @Test
  void detachedStationReceivesNoFrames() {
    fabric.joinSegment(A);
    fabric.joinSegment(B);

    a.send(new Frame(A, ByteBuffer.allocate(60)));
    b.link().close();
    drain();

    assertThat(b.received()).isEmpty();
  }

  @Test
  void stationHoldsBackWhileTheLinkIsFullAndGoesOnWhenThereIsRoom() {
    int count = InMemoryLink.IN_FLIGHT_LIMIT + 10;

    a.send(
        IntStream.range(0, count)
            .mapToObj(number -> delivery(A, B, number))
            .toArray(Traffic[]::new));
    int heldBack = a.waiting();
    drain();

    assertThat(heldBack).isEqualTo(10);
    assertThat(b.received()).hasSize(count);
    assertThat(a.turns()).isEqualTo(2);
  }

  /** Not earlier, as turns cost time, and not later, as the network would run empty. */
  @Test
  void stationThatWasHeldBackGoesOnWhenHalfHasArrived() {
    int half = InMemoryLink.IN_FLIGHT_LIMIT / 2;

    a.send(
        IntStream.rangeClosed(0, 2 * half)
            .mapToObj(number -> delivery(A, B, number))
            .toArray(Traffic[]::new));
    while (a.waiting() > 0) {
      assertThat(fabric.scheduler().runNext()).isTrue();
    }

    assertThat(b.received()).hasSize(half);
  }

  @Test
  void closedFabricDeliversNothingAndAttachesNobody() {
    a.send(delivery(A, B, 7));

    fabric.close();

    assertThat(fabric.scheduler().runNext()).isFalse();
    assertThat(b.received()).isEmpty();
    assertThatThrownBy(() -> Recorder.at(fabric, C))
        .isInstanceOf(FabricException.class)
        .hasMessage("The network is closed; nothing can be attached to it.");
  }

  private void drain() {
    while (fabric.scheduler().runNext()) {
      assertThat(fabric.scheduler().nowNanos()).isLessThan(1_000_000_000);
    }
  }

  private static PacketEnvelope delivery(InetAddress source, InetAddress destination, int psn) {
    return TestPackets.delivery(TestPackets.send(route(source, destination), psn, 0));
  }

  @Test
  void eachChangeLeavesTheOthersAlone() {
    InMemoryOptions changed =
        InMemoryOptions.virtualTime()
            .withLatencyNanos(5)
            .withWireExact(true)
            .withMtuBytes(1_500)
            .withPollRunsEvents(false)
            .withBurstPackets(9)
            .withMaxEmptyPolls(11);

    assertThat(changed).isEqualTo(new InMemoryOptions(Time.VIRTUAL, 5, true, 1_500, false, 9, 11));
  }

  static Stream<Arguments> refused() {
    InMemoryOptions real = InMemoryOptions.realTime();
    InMemoryOptions virtual = InMemoryOptions.virtualTime();
    return Stream.of(
        Arguments.of(real.withLatencyNanos(-1), "A latency of -1 ns is negative."),
        Arguments.of(virtual.withLatencyNanos(0), "A latency of 0 ns in virtual time"),
        Arguments.of(real.withMtuBytes(100), "An MTU of 100 bytes is not in 1280 to 65535."),
        Arguments.of(virtual.withBurstPackets(0), "A burst of 0 packets is none."),
        Arguments.of(virtual.withMaxEmptyPolls(0), "A row of 0 polls that find nothing is none."));
  }

  @ParameterizedTest
  @MethodSource
  void refused(InMemoryOptions options, String message) {
    assertThatThrownBy(() -> InMemoryFabric.create(options))
        .isInstanceOf(FabricException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void pollRunsEventsIsWhatTheSchedulerSays() {
    InMemoryOptions still = InMemoryOptions.virtualTime().withPollRunsEvents(false);

    try (Fabric moving = InMemoryFabric.virtualTime();
        Fabric standing = InMemoryFabric.create(still)) {
      assertThat(moving.scheduler().virtualNetwork().orElseThrow().pollRunsEvents()).isTrue();
      assertThat(standing.scheduler().virtualNetwork().orElseThrow().pollRunsEvents()).isFalse();
    }
  }
}

package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.fabric.Hosts.A;
import static io.queuepair.emulator.fabric.Hosts.B;
import static io.queuepair.emulator.fabric.Hosts.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.wire.Packet;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class UnreliableFabricTest {
  private static final int MANY = 1_000;

  private static UnreliableFabric fabric(Faults faults, long seed) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withWireExact(true);
    return new UnreliableFabric(InMemoryFabric.create(options), faults, seed);
  }

  private static Faults always(Fault fault) {
    return Faults.none().with(fault, 1);
  }

  /** The bytes that arrive of datagrams sent one every two microseconds, with the time of each. */
  private static List<String> arrivals(UnreliableFabric fabric, int datagrams) {
    try (fabric) {
      Recorder a = Recorder.at(fabric, A);
      Recorder b = Recorder.at(fabric, B);
      List<String> arrivals = new ArrayList<>();
      Scheduler scheduler = fabric.scheduler();
      for (int i = 0; i < datagrams; i++) {
        Packet packet = Packets.send(route(A, B), i, 4);
        scheduler
            .timer(() -> a.send(Packets.burst(a.link().borrow(), packet)))
            .arm(2_000L * (i + 1));
      }
      while (scheduler.runNext()) {
        b.received().forEach(one -> arrivals.add(describe(scheduler, (Burst) one)));
        b.received().clear();
      }
      return arrivals;
    }
  }

  private static String describe(Scheduler scheduler, Burst burst) {
    ByteBuffer bytes = burst.bytes();
    return "PSN " + (bytes.getInt(8) & 0xff_ffff) + " at " + scheduler.nowNanos();
  }

  @Test
  void withoutFaultsEverythingArrivesInTime() {
    assertThat(arrivals(fabric(Faults.none(), 1), 3))
        .containsExactly("PSN 0 at 3000", "PSN 1 at 5000", "PSN 2 at 7000");
  }

  @Test
  void lostPacketsNeverArrive() {
    assertThat(arrivals(fabric(always(Fault.LOSS), 1), 3)).isEmpty();
  }

  @Test
  void duplicatedPacketsArriveTwice() {
    assertThat(arrivals(fabric(always(Fault.DUPLICATION), 1), 2))
        .containsExactly("PSN 0 at 3000", "PSN 0 at 3000", "PSN 1 at 5000", "PSN 1 at 5000");
  }

  @Test
  void reorderedPacketsAreOvertakenByTheNextOrWaitTenMicroseconds() {
    // Held at 2000; released behind its follower at 4000, which is held itself, and so on.
    assertThat(arrivals(fabric(always(Fault.REORDERING), 1), 3))
        .containsExactly("PSN 0 at 5000", "PSN 1 at 7000", "PSN 2 at 17000");
  }

  @Test
  void delayedPacketsAreLateByLessThanTheLimit() {
    Faults faults = always(Fault.DELAY).withDelayNanos(500);

    assertThat(arrivals(fabric(faults, 1), 2))
        .hasSize(2)
        .allMatch(arrival -> arrival.matches("PSN 0 at 3[0-4].*|PSN 1 at 5[0-4].*"));
  }

  @Test
  void corruptionFlipsOneBit() {
    UnreliableFabric fabric = fabric(always(Fault.CORRUPTION), 1);
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    Burst sent = Packets.burst(ByteBuffer.allocate(100), Packets.send(route(A, B), 1, 8));
    Burst lent = LateTraffic.with(sent, a.link().borrow().put(sent.bytes().duplicate()).flip());

    a.send(lent);
    fabric.scheduler().runNext();

    ByteBuffer arrived = ((Burst) b.received().get(0)).bytes();
    int differences = 0;
    for (int i = 0; i < sent.bytes().limit(); i++) {
      differences += Integer.bitCount((arrived.get(i) ^ sent.bytes().get(i)) & 0xff);
    }
    assertThat(arrived.limit()).isEqualTo(sent.bytes().limit());
    assertThat(differences).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void countsWhatItDid(Fault fault) {
    UnreliableFabric fabric = fabric(Faults.none().with(fault, 0.25), 7);

    arrivals(fabric, MANY);

    assertThat(fabric.taken().get(fault)).isBetween(180L, 320L); // 250, five deviations of 14
    assertThat(fabric.taken().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(fabric.taken().get(fault));
  }

  @Test
  void sameSeedGivesTheSameFaultsAndAnotherOneOthers() {
    Faults faults = Faults.none().with(Fault.LOSS, 0.2).with(Fault.DELAY, 0.3);

    List<String> once = arrivals(fabric(faults, 5), 100);

    assertThat(arrivals(fabric(faults, 5), 100)).isEqualTo(once);
    assertThat(arrivals(fabric(faults, 6), 100)).isNotEqualTo(once);
  }

  @Test
  void refusesToCorruptWhereNoBytesTravel() {
    UnreliableFabric fabric =
        new UnreliableFabric(InMemoryFabric.virtualTime(), always(Fault.CORRUPTION), 1);

    assertThatThrownBy(() -> Recorder.at(fabric, A))
        .isInstanceOf(FabricException.class)
        .hasMessage("Corruption needs bytes, and this network carries objects: make it wireExact.");
  }

  @Test
  void objectsCanBeLostAndDoubledToo() {
    UnreliableFabric fabric =
        new UnreliableFabric(InMemoryFabric.virtualTime(), always(Fault.DUPLICATION), 1);
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    Packet packet = Packets.send(route(A, B), 1, 8);

    a.send(Packets.delivery(packet));
    while (fabric.scheduler().runNext()) {}

    assertThat(b.packets()).containsExactly(packet, packet);
  }

  @Test
  void whatIsLateIsLostWhenItsSenderIsDetached() {
    UnreliableFabric fabric = fabric(always(Fault.DELAY), 1);
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    a.send(Packets.burst(a.link().borrow(), Packets.send(route(A, B), 1, 8)));

    a.link().close();
    while (fabric.scheduler().runNext()) {}

    assertThat(b.received()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void refusesProbabilitiesThatAreNone(Fault fault) {
    assertThatThrownBy(() -> Faults.none().with(fault, 1.5))
        .hasMessage("a probability of 1.5 for " + fault + " is not 0 to 1");
    assertThatThrownBy(() -> Faults.none().with(fault, Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesDelaysThatAreNone() {
    assertThatThrownBy(() -> Faults.none().withDelayNanos(0))
        .hasMessage("a delay of 0 ns is not 1 or more");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.D;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.observe.TestPackets;
import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fates of packets, whatever they are. */
final class FaultFabricTest {
  private static final int MANY = 1_000;

  private static FaultFabric fabric(String plan) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withWireExact(true);
    return new FaultFabric(InMemoryFabric.create(options), FaultPlan.parse(plan));
  }

  /** The bytes that arrive of datagrams sent one every two microseconds, with the time of each. */
  private static List<String> arrivals(FaultFabric fabric, int datagrams) {
    try (fabric) {
      Recorder a = Recorder.at(fabric, A);
      Recorder b = Recorder.at(fabric, B);
      List<String> arrivals = new ArrayList<>();
      Scheduler scheduler = fabric.scheduler();
      for (int i = 0; i < datagrams; i++) {
        Packet packet = TestPackets.send(route(A, B), i, 4);
        scheduler
            .timer(() -> a.send(TestPackets.burst(a.link().borrow(), packet)))
            .arm(2_000L * (i + 1));
      }
      while (scheduler.runNext()) {
        b.received().forEach(one -> arrivals.add(describe(scheduler, (DatagramBurst) one)));
        b.received().clear();
      }
      return arrivals;
    }
  }

  private static String describe(Scheduler scheduler, DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    return "PSN " + (bytes.getInt(8) & 0xff_ffff) + " at " + scheduler.nowNanos();
  }

  /** Packets kept back leave in a turn of the station, which the fabric has to see. */
  @Test
  void stationsRingBeforeTheySend() {
    try (InMemoryFabric plain = InMemoryFabric.virtualTime();
        FaultFabric faulty = fabric("delay 1us")) {
      assertThat(((DirectLink) Recorder.at(plain, A).link()).allowsInlineTransmit()).isTrue();
      assertThat(Recorder.at(faulty, A).link()).isNotInstanceOf(DirectLink.class);
    }
  }

  /** Packets sent may still be kept back, or be sent twice. */
  @Test
  void lendsOutNothingThatWasSent() {
    try (InMemoryFabric plain = InMemoryFabric.virtualTime();
        FaultFabric faulty =
            new FaultFabric(InMemoryFabric.virtualTime(), FaultPlan.parse("delay 1us"))) {
      assertThat(returnedOf(plain)).isNotNull();
      assertThat(returnedOf(faulty)).isNull();
    }
  }

  /** Buffer that a link lends out after it has sent more than enough. */
  private static PacketEnvelope returnedOf(Fabric fabric) {
    Recorder.at(fabric, B);
    Recorder a = Recorder.at(fabric, A);
    for (int i = 0; i < 10; i++) {
      a.send(TestPackets.delivery(TestPackets.send(route(A, B), i, 4)));
      while (fabric.scheduler().runNext()) {}
    }
    return a.link() instanceof DirectLink link ? link.pollRecycled() : null;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          ''                           | 3 | PSN 0 at 3000, PSN 1 at 5000, PSN 2 at 7000
          drop                         | 3 | ''
          drop 2nd                     | 3 | PSN 0 at 3000, PSN 2 at 7000
          drop every 2nd               | 4 | PSN 0 at 3000, PSN 2 at 7000
          drop 2nd..                   | 4 | PSN 0 at 3000
          drop packet psn 1..16777215  | 4 | PSN 0 at 3000
          drop packet at 3us for 2us   | 3 | PSN 0 at 3000, PSN 2 at 7000
          duplicate                    | 2 | PSN 0 at 3000, PSN 0 at 3000, PSN 1 at 5000, \
          PSN 1 at 5000
          # Held at 2000; released behind its follower at 4000, which is held itself, and so on.
          reorder                      | 3 | PSN 0 at 5000, PSN 1 at 7000, PSN 2 at 17000
          delay 3us 1st                | 2 | PSN 1 at 5000, PSN 0 at 6000
          """)
  void packetsThatAPlanMeansAreLostDoubledOrLate(String plan, int datagrams, String arrivals) {
    assertThat(String.join(", ", arrivals(fabric(plan), datagrams))).isEqualTo(arrivals);
  }

  @Test
  void delayedPacketsAreLateByThatOrLess() {
    assertThat(arrivals(fabric("delay up to 500ns"), 2))
        .hasSize(2)
        .allMatch(arrival -> arrival.matches("PSN 0 at 3[0-4].*|PSN 1 at 5[0-4].*|.* at .500"));
  }

  /** Memory has a limit: what is more is lost. */
  @Test
  void noMoreThan65536PacketsOfAStationAreKeptBack() {
    int limit = 65_536;
    FaultFabric fabric =
        new FaultFabric(InMemoryFabric.virtualTime(), FaultPlan.parse("delay 1ms"));
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);

    for (int psn = 0; psn <= limit; psn++) {
      a.send(TestPackets.delivery(TestPackets.send(route(A, B), psn, 4)));
    }
    while (fabric.scheduler().runNext()) {}

    assertThat(b.received()).hasSize(limit);
    assertThat(b.psns().get(limit - 1)).isEqualTo(limit - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"corrupt", "corrupt byte 9", "corrupt icrc", "corrupt psn"})
  void corruptionFlipsOneBit(String plan) {
    FaultFabric fabric = fabric(plan);
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    Packet packet = TestPackets.send(route(A, B), 1, 8);
    DatagramBurst sent = TestPackets.burst(ByteBuffer.allocate(100), packet);

    a.send(TestPackets.burst(a.link().borrow(), packet));
    fabric.scheduler().runNext();

    ByteBuffer arrived = ((DatagramBurst) b.received().get(0)).bytes();
    int differences = 0;
    for (int i = 0; i < sent.bytes().limit(); i++) {
      differences += Integer.bitCount((arrived.get(i) ^ sent.bytes().get(i)) & 0xff);
    }
    assertThat(arrived.limit()).isEqualTo(sent.bytes().limit());
    assertThat(differences).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"drop 25%", "duplicate 25%", "reorder 25%", "corrupt 25%", "delay up to 9us 25%"})
  void countsWhatItDid(String statement) {
    FaultFabric fabric = fabric("seed 7; " + statement);

    arrivals(fabric, MANY);

    assertThat(fabric.applied()).containsOnlyKeys(statement);
    assertThat(fabric.applied().get(statement)).isBetween(180L, 320L); // 250, five deviations of 14
  }

  @Test
  void sameSeedGivesTheSameFaultsAndAnotherOneOthers() {
    String plan = "; drop 20%; delay up to 50us 30%";

    List<String> once = arrivals(fabric("seed 5" + plan), 100);

    assertThat(arrivals(fabric("seed 5" + plan), 100)).isEqualTo(once);
    assertThat(arrivals(fabric("seed 6" + plan), 100)).isNotEqualTo(once);
  }

  @Test
  void aStatementThatIsAddedChangesNothingForTheOthers() {
    List<String> once = arrivals(fabric("drop 50%"), 100);

    assertThat(arrivals(fabric("delay 1us 0%; drop 50%"), 100)).isEqualTo(once);
  }

  @Test
  void objectsCanBeDoubledAndCorruptedToo() {
    FaultFabric fabric =
        new FaultFabric(
            InMemoryFabric.virtualTime(), FaultPlan.parse("duplicate 1st; corrupt icrc 2nd"));
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    Packet packet = TestPackets.send(route(A, B), 1, 8);

    a.send(TestPackets.delivery(packet), TestPackets.delivery(packet));
    while (fabric.scheduler().runNext()) {}

    assertThat(b.received()).hasSize(3);
    assertThat(b.received().subList(0, 2))
        .containsExactly(TestPackets.delivery(packet), TestPackets.delivery(packet));
    assertThat(b.received().get(2)).isInstanceOf(DatagramBurst.class);
  }

  @Test
  void framesCanBeDelayedAndCorruptedToo() {
    FaultFabric fabric = fabric("delay 1us; duplicate; corrupt");
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    fabric.joinSegment(A);
    fabric.joinSegment(B);
    Frame frame = new Frame(A, ByteBuffer.allocate(60));

    a.send(frame);
    while (fabric.scheduler().runNext()) {}

    assertThat(b.received()).hasSize(2);
    assertThat(((Frame) b.received().get(0)).bytes()).isEqualTo(ByteBuffer.allocate(60));
    assertThat(((Frame) b.received().get(1)).bytes()).isNotEqualTo(ByteBuffer.allocate(60));
  }

  @Test
  void whatIsLateIsLostWhenItsSenderIsDetached() {
    FaultFabric fabric = fabric("delay 5us");
    Recorder a = Recorder.at(fabric, A);
    Recorder b = Recorder.at(fabric, B);
    a.send(TestPackets.burst(a.link().borrow(), TestPackets.send(route(A, B), 1, 8)));

    a.link().close();
    while (fabric.scheduler().runNext()) {}

    assertThat(b.received()).isEmpty();
  }

  // Packets kept back leave in turns of the station: else two threads would send at once.

  /** A station with two addresses, which sends one packet from each. */
  private static final class DelayedLinks implements Station {
    private Link first;
    private Link second;
    private boolean hasSent;
    private boolean isInTurn;

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      isInTurn = true;
      if (!hasSent) {
        hasSent = true;
        first.send(TestPackets.delivery(TestPackets.send(route(C, A), 1, 0)), null);
        second.send(TestPackets.delivery(TestPackets.send(route(D, A), 1, 0)), null);
      }
      first.endTurn();
      second.endTurn();
      isInTurn = false;
    }
  }

  /** A fabric that notes for each packet whether it left in a turn of the station. */
  private static final class Beneath extends ForwardingFabric {
    private final DelayedLinks station;
    private final List<Boolean> leftInTurn = new ArrayList<>();

    Beneath(Fabric fabric, DelayedLinks station) {
      super(fabric);
      this.station = station;
    }

    @Override
    public Link attach(InetAddress address, Station attached) {
      return new ForwardingLink(super.attach(address, attached)) {
        @Override
        public void send(Traffic traffic, String note) {
          leftInTurn.add(station.isInTurn);
          super.send(traffic, note);
        }
      };
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', delay 1us, 2",
    "'', reorder, 2",
    "'', duplicate; delay 1us, 4",
    "'', delay 1us; reorder, 2",
    "delay 3us, delay 1us, 2",
    "delay 3us, reorder, 2",
  })
  void leavesInTurnsOfTheStation(String beneathIt, String plan, int packets) {
    DelayedLinks station = new DelayedLinks();
    Beneath beneath = new Beneath(InMemoryFabric.virtualTime(), station);
    Fabric faulty = new FaultFabric(beneath, FaultPlan.parse(beneathIt));

    run(station, new FaultFabric(faulty, FaultPlan.parse(plan)));

    assertThat(beneath.leftInTurn).hasSize(packets).containsOnly(true);
  }

  /** Attaches the station, and lets it send until nothing is left to happen. */
  private static void run(DelayedLinks station, Fabric fabric) {
    try (fabric) {
      station.first = fabric.attach(C, station);
      station.second = fabric.attach(D, station);
      station.first.ringDoorbell();
      while (fabric.scheduler().runNext()) {}
    }
  }
}

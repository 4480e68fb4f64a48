// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.observe.Recorder;
import io.queuepair.emulator.observe.TestPackets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class RealTimeDeliveryTest {
  private final InMemoryFabric fabric = InMemoryFabric.realTime();

  @AfterEach
  void close() {
    fabric.close();
  }

  @Test
  void packetArrivesOnTheThreadOfTheFabric() {
    CompletableFuture<String> receiver = new CompletableFuture<>();
    fabric.attach(B, receiving(traffic -> receiver.complete(Thread.currentThread().getName())));

    Recorder.at(fabric, A).send(toB(1));

    assertThat(receiver.join()).isEqualTo("queuepair-fabric");
  }

  @Test
  void oneWhoHasMuchToSendGetsTurnsOfTheThreadOfTheFabric() {
    CompletableFuture<List<Integer>> all = new CompletableFuture<>();
    int count = 10 * InMemoryLink.TURN_LIMIT + 3 * InMemoryLink.IN_FLIGHT_LIMIT + 1;
    List<Integer> arrived = new ArrayList<>();
    fabric.attach(
        B,
        receiving(
            traffic -> {
              traffic.forEach(one -> arrived.add(((PacketEnvelope) one).packet().psn()));
              if (arrived.size() == count) {
                all.complete(List.copyOf(arrived));
              }
            }));
    Sender sender = Sender.at(fabric, count);

    sender.link.ringDoorbell();

    assertThat(all.join()).isEqualTo(IntStream.range(0, count).boxed().toList());
    assertThat(sender.turns.get(0)).isEqualTo(InMemoryLink.TURN_LIMIT);
    assertThat(sender.turns).allMatch(sent -> sent <= InMemoryLink.TURN_LIMIT);
  }

  @Test
  void whatIsSentInOneTurnIsHandedOverTogether() {
    assertThat(packetsReadyTogether(a -> a.send(toB(1), toB(2), toB(3)))).containsExactly(1, 2, 3);
  }

  @Test
  void whatIsReadyTogetherForOneStationIsHandedOverTogether() {
    assertThat(
            packetsReadyTogether(
                a -> {
                  a.send(toB(1));
                  a.send(toB(2), toB(3));
                  a.send(toB(4));
                }))
        .containsExactly(1, 2, 3, 4);
  }

  private static PacketEnvelope toB(int number) {
    return packet(B, number);
  }

  private static PacketEnvelope packet(InetAddress destination, int psn) {
    return TestPackets.delivery(TestPackets.send(route(A, destination), psn, 0));
  }

  /** Packets that arrive at once after the network was busy while they were sent. */
  private List<Integer> packetsReadyTogether(Consumer<Recorder> sending) {
    CompletableFuture<List<Integer>> together = new CompletableFuture<>();
    CompletableFuture<Void> busy = new CompletableFuture<>();
    CompletableFuture<Void> release = new CompletableFuture<>();
    fabric.attach(
        B,
        receiving(
            traffic ->
                together.complete(
                    traffic.stream().map(one -> ((PacketEnvelope) one).packet().psn()).toList())));
    fabric.attach(
        C,
        receiving(
            traffic -> {
              busy.complete(null);
              release.join();
            }));
    Recorder a = Recorder.at(fabric, A);

    a.send(packet(C, 1));
    busy.join();
    sending.accept(a);
    release.complete(null);

    List<Integer> packets = together.join();
    fabric.close();
    assertThat(((InMemoryLink) a.link()).isIdle()).isTrue();
    return packets;
  }

  private interface TimedReceiver {
    void receive(List<? extends Traffic> traffic);
  }

  private static Station receiving(TimedReceiver receiver) {
    return new Station() {
      @Override
      public void receive(List<? extends Traffic> traffic) {
        receiver.receive(traffic);
      }

      @Override
      public void transmit() {}
    };
  }

  /** Sends numbers from 0, on whatever thread its turn comes. */
  private static final class Sender implements Station {
    private final int count;
    private Link link;
    private int next;

    /** How much was sent in each. */
    private final List<Integer> turns = new CopyOnWriteArrayList<>();

    private Sender(int count) {
      this.count = count;
    }

    static Sender at(Fabric fabric, int count) {
      Sender sender = new Sender(count);
      sender.link = fabric.attach(A, sender);
      return sender;
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public synchronized void transmit() {
      int first = next;
      while (next < count && link.isWritable()) {
        link.send(toB(next++), null);
      }
      turns.add(next - first);
      link.endTurn();
    }
  }
}

package io.queuepair.emulator.fabric;

import static io.queuepair.emulator.fabric.Hosts.A;
import static io.queuepair.emulator.fabric.Hosts.B;
import static io.queuepair.emulator.fabric.Hosts.C;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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

    Recorder.at(fabric, A).send(new Delivery(A, B, "hello"));

    assertThat(receiver.join()).isEqualTo("queuepair-fabric");
  }

  @Test
  void manyPacketsArriveInOrder() {
    List<Object> arrived = new ArrayList<>();
    CompletableFuture<List<Object>> all = new CompletableFuture<>();
    int count = 3 * InMemoryLink.IN_FLIGHT_LIMIT;
    fabric.attach(
        B,
        receiving(
            traffic -> {
              traffic.forEach(one -> arrived.add(((Delivery) one).packet()));
              if (arrived.size() == count) {
                all.complete(List.copyOf(arrived));
              }
            }));

    Sender.at(fabric, count).link.ring();

    assertThat(all.join()).isEqualTo(IntStream.range(0, count).boxed().toList());
  }

  @Test
  void whatIsReadyTogetherForOneStationIsHandedOverTogether() {
    CompletableFuture<List<? extends Traffic>> together = new CompletableFuture<>();
    CompletableFuture<Void> busy = new CompletableFuture<>();
    CompletableFuture<Void> release = new CompletableFuture<>();
    fabric.attach(B, receiving(together::complete));
    fabric.attach(
        C,
        receiving(
            traffic -> {
              busy.complete(null);
              release.join();
            }));
    Recorder a = Recorder.at(fabric, A);

    a.send(new Delivery(A, C, "keeps the thread busy"));
    busy.join();
    a.send(new Delivery(A, B, 1), new Delivery(A, B, 2), new Delivery(A, B, 3));
    release.complete(null);

    assertThat(together.join()).hasSize(3);
  }

  private interface Receiver {
    void receive(List<? extends Traffic> traffic);
  }

  private static Station receiving(Receiver receiver) {
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
      while (next < count && link.isWritable()) {
        link.send(new Delivery(A, B, next++));
      }
      link.endTurn();
    }
  }
}

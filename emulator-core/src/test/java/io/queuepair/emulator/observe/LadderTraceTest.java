// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import static io.queuepair.emulator.observe.TestHosts.A;
import static io.queuepair.emulator.observe.TestHosts.B;
import static io.queuepair.emulator.observe.TestHosts.C;
import static io.queuepair.emulator.observe.TestHosts.D;
import static io.queuepair.emulator.observe.TestHosts.route;
import static io.queuepair.emulator.observe.TestPackets.acknowledge;
import static io.queuepair.emulator.observe.TestPackets.delivery;
import static io.queuepair.emulator.observe.TestPackets.send;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class LadderTraceTest {
  private final List<String> lines = new ArrayList<>();
  private final InMemoryFabric network = InMemoryFabric.virtualTime();
  private final Fabric fabric = LadderTrace.on(network, lines::add);
  private final Recorder a = Recorder.at(fabric, A);
  private final Recorder b = Recorder.at(fabric, B);

  @Test
  void dialogueReadsAsASequenceDiagram() {
    a.send(delivery(send(route(A, B), 100, 64)));
    fabric.scheduler().runNext();
    b.send(delivery(acknowledge(route(B, A), 100, Aeth.ack(1))));
    fabric.scheduler().runNext();
    a.send(delivery(send(route(A, B), 101, 0)));

    assertThat(lines)
        .containsExactly(
            "      0.000 us  10.0.0.1 ---> 10.0.0.2  RC_SEND_ONLY qp=0x000012 psn=100 ackreq"
                + " 64 bytes",
            "      1.000 us  10.0.0.1 <--- 10.0.0.2  RC_ACKNOWLEDGE qp=0x000011 psn=100"
                + " ACK msn=1",
            "      2.000 us  10.0.0.1 ---> 10.0.0.2  RC_SEND_ONLY qp=0x000012 psn=101 ackreq"
                + " 0 bytes");
  }

  @Test
  void headersRefusalsAndUnusualFlagsAreShown() {
    Bth write = Bth.of(Opcode.RC_RDMA_WRITE_ONLY, 0x12, 1).withPkey(0x8001);
    Bth add = Bth.of(Opcode.RC_FETCH_ADD, 0x12, 2).withSolicited(true);
    Bth odd = Bth.of(Opcode.UC_SEND_ONLY, 0x12, 3);
    Stream.of(
            TestPackets.withHeader(route(A, B), write, new Reth(0x1000, 0x77, 0)),
            TestPackets.withHeader(route(A, B), add, new AtomicEth(0x2000, 0x77, 5, 0)),
            new Packet(route(A, B), odd, List.of(), Payload.of(new byte[3])),
            acknowledge(route(B, A), 7, Aeth.nak(NakCode.REMOTE_ACCESS_ERROR, 3)),
            acknowledge(route(B, A), 7, Aeth.nak(NakCode.PSN_SEQUENCE_ERROR, 3)),
            acknowledge(route(B, A), 7, Aeth.rnrNak(12, 3)),
            acknowledge(route(B, A), 7, Aeth.ack(5, 3)))
        .forEach(packet -> a.send(delivery(packet)));

    assertThat(lines)
        .extracting(line -> line.replaceAll(".* (?=RC_|UC_)|RC_ACKNOWLEDGE qp=0x000011 ", ""))
        .containsExactly(
            "RC_RDMA_WRITE_ONLY qp=0x000012 psn=1 pkey=0x8001 va=0x1000 rkey=0x00000077 len=0"
                + " 0 bytes",
            "RC_FETCH_ADD qp=0x000012 psn=2 solicited va=0x2000 rkey=0x00000077 swap_add=0x5"
                + " compare=0x0",
            "UC_SEND_ONLY qp=0x000012 psn=3 3 bytes",
            "psn=7 NAK remote access error msn=3",
            "psn=7 NAK PSN sequence error msn=3",
            "psn=7 RNR NAK 0.64 ms msn=3",
            "psn=7 ACK credits=5 msn=3");
  }

  @Test
  void thirdHostStandsToTheRight() {
    Recorder c = Recorder.at(fabric, C);

    a.send(delivery(send(route(A, B), 1, 0)));
    c.send(delivery(send(route(C, A), 2, 0)));
    b.send(delivery(send(route(B, A), 3, 0)));

    assertThat(lines)
        .extracting(line -> line.substring(0, line.indexOf("  RC_")))
        .containsExactly(
            "      0.000 us  10.0.0.1 ---> 10.0.0.2",
            "      0.000 us  10.0.0.1  <--- 10.0.0.30",
            "      0.000 us  10.0.0.1  <--- 10.0.0.2 ");
  }

  @Test
  void timeCountsFromTheBeginningOfTheTrace() {
    network.scheduler().timer(() -> {}).arm(5_000_000);
    network.scheduler().runNext();
    List<String> late = new ArrayList<>();
    Recorder c = Recorder.at(LadderTrace.on(network, late::add), C);
    network.scheduler().timer(() -> {}).arm(72_108_864);
    network.scheduler().runNext();

    c.send(delivery(send(route(C, A), 1, 0)));

    assertThat(late).singleElement().asString().startsWith("  67108.864 us  10.0.0.30 ---> ");
  }

  @Test
  void packetOfAStationOutsideOfTheTraceIsSeenWhenItArrives() {
    Recorder c = Recorder.at(network, C);

    c.send(delivery(send(route(C, A), 1, 0)));
    network.scheduler().runNext();

    assertThat(lines).singleElement().asString().startsWith("      1.000 us  10.0.0.30 ---> ");
    assertThat(a.received()).hasSize(1);
  }

  /** Of another network, which carries datagrams. */
  private Recorder senderOfBytes() {
    InMemoryOptions exact = InMemoryOptions.virtualTime().withWireExact(true);
    return Recorder.at(LadderTrace.on(InMemoryFabric.create(exact), lines::add), A);
  }

  @Test
  void encodedPacketHasTheSameLine() {
    Recorder sender = senderOfBytes();

    sender.send(TestPackets.burst(sender.link().borrow(), send(route(A, B), 100, 64)));
    a.send(delivery(send(route(A, B), 100, 64)));

    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).isEqualTo(lines.get(1));
  }

  @Test
  void corruptedDatagramIsShownWithItsFault() {
    Recorder sender = senderOfBytes();
    ByteBuffer lent = sender.link().borrow();
    DatagramBurst burst = TestPackets.burst(lent, send(route(A, B), 100, 64));
    lent.put(12, (byte) 1).put(13, (byte) 2).put(14, (byte) 3);

    sender.send(burst);

    assertThat(lines)
        .singleElement()
        .asString()
        .endsWith(
            "RC_SEND_ONLY qp=0x000012 psn=100 ackreq 64 bytes, invalid: The invariant CRC does"
                + " not match: the packet was corrupted or rewritten on its way.");
  }

  @Test
  void datagramThatIsNoPacketIsShownWithItsLength() {
    Recorder sender = senderOfBytes();
    ByteBuffer lent = sender.link().borrow().limit(5);

    sender.send(new DatagramBurst(A, 4_791, B, lent, 5));

    assertThat(lines)
        .containsExactly(
            "      0.000 us  10.0.0.1 ---> 10.0.0.2  datagram of 5 bytes, invalid: The datagram"
                + " is shorter than a BTH and an ICRC.");
  }

  @Test
  void linesGoOutWhenTheTurnOfTheStationIsOverOnAllItsLinks() {
    TracedLinks station = new TracedLinks(fabric, lines);

    station.first.ringDoorbell();

    assertThat(station.linesDuringTurn).containsExactly(0, 0);
    assertThat(lines).hasSize(2);
  }

  @Test
  void whatIsSentOutOfTurnIsShownAtOnce() {
    a.link().send(delivery(send(route(A, B), 1, 0)), null);

    assertThat(lines).hasSize(1);
  }

  @Test
  void anOutputThatFailsDisturbsNobody() {
    Fabric broken =
        LadderTrace.on(
            network,
            line -> {
              lines.add(line);
              throw new IllegalStateException("the disk is full");
            });
    Recorder c = Recorder.at(broken, C);
    Recorder d = Recorder.at(broken, D);

    c.send(delivery(send(route(C, D), 100, 64)), delivery(send(route(C, D), 101, 64)));
    broken.scheduler().runNext();
    broken.scheduler().runNext();

    assertThat(lines).hasSize(2);
    assertThat(d.received()).hasSize(2);
  }

  @Test
  @Timeout(60)
  void anOutputThatWaitsForASenderDoesNotHoldItUp() {
    CompletableFuture<Void> isWriting = new CompletableFuture<>();
    CompletableFuture<Void> otherHasSent = new CompletableFuture<>();
    Fabric slow =
        LadderTrace.on(
            network,
            line -> {
              lines.add(line);
              isWriting.complete(null);
              otherHasSent.join();
            });
    Recorder c = Recorder.at(slow, C);
    Recorder d = Recorder.at(slow, D);
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> c.send(delivery(send(route(C, D), 100, 64))));
    isWriting.join();

    d.send(delivery(send(route(D, C), 101, 64)));
    otherHasSent.complete(null);
    first.join();

    assertThat(lines).hasSize(2);
    assertThat(lines.get(1)).contains("psn=101");
  }

  /** A station with two addresses, which looks at the lines while it sends. */
  private static final class TracedLinks implements Station {
    private final List<String> lines;
    private final List<Integer> linesDuringTurn = new ArrayList<>();
    private final Link first;
    private final Link second;

    TracedLinks(Fabric fabric, List<String> lines) {
      this.lines = lines;
      first = fabric.attach(C, this);
      second = fabric.attach(D, this);
    }

    @Override
    public void receive(List<? extends Traffic> traffic) {}

    @Override
    public void transmit() {
      first.send(delivery(send(route(C, A), 1, 0)), null);
      linesDuringTurn.add(lines.size());
      second.send(delivery(send(route(D, A), 1, 0)), null);
      linesDuringTurn.add(lines.size());
    }
  }
}

package io.queuepair.udp;

import static io.queuepair.udp.Loopback.A;
import static io.queuepair.udp.Loopback.B;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.queuepair.emulator.fabric.Burst;
import io.queuepair.emulator.fabric.Link;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Equal datagrams of one sender, side by side, become one burst; others stay apart. */
final class ArrivalsTest {
  private static final InetSocketAddress TO = new InetSocketAddress(B, 4791);

  private final InetSocketAddress from = new InetSocketAddress(A, 4791);
  private final ByteBuf memory =
      PooledByteBufAllocator.DEFAULT.directBuffer(1000).writeZero(1000).setByte(300, 7);
  private final Arrivals arrivals = new Arrivals(B);

  @AfterEach
  void releasesEverything() {
    arrivals.clear();
    assertThat(memory.refCnt()).isEqualTo(1);
    memory.release();
  }

  @Test
  void joinsSegmentsOfOneRead() {
    assumeTrue(memory.hasMemoryAddress(), "Netty shows no addresses here");
    add(from, 100, 100);
    add(from, 200, 100);
    add(from, 300, 40);

    assertThat(arrivals.bursts()).hasSize(1);
    Burst burst = arrivals.bursts().get(0);
    assertThat(burst.segmentBytes()).isEqualTo(100);
    assertThat(burst.bytes().remaining()).isEqualTo(240);
    assertThat(burst.bytes().get(burst.bytes().position() + 200)).isEqualTo((byte) 7);
    assertThat(arrivals.datagrams()).isEqualTo(3);
    assertThat(arrivals.totalBytes()).isEqualTo(240);
  }

  @Test
  void endsABurstAtTheSizeOfALink() {
    ByteBuf large = PooledByteBufAllocator.DEFAULT.directBuffer(80_000).writeZero(80_000);
    for (int i = 0; i < 20; i++) {
      arrivals.add(new DatagramPacket(large.retainedSlice(i * 4000, 4000), TO, from));
    }

    assertThat(arrivals.bursts()).allMatch(burst -> burst.bytes().remaining() <= Link.BURST_BYTES);
    assertThat(arrivals.totalBytes()).isEqualTo(80_000);
    large.release();
  }

  @Test
  void beginsAnewAfterAShortSegment() {
    add(from, 100, 100);
    add(from, 200, 40);
    add(from, 240, 40);

    assertThat(arrivals.bursts()).extracting(Burst::segmentBytes).containsExactly(100, 40);
  }

  @Test
  void keepsLongerDatagramsApart() {
    add(from, 100, 100);
    add(from, 200, 101);

    assertThat(arrivals.bursts()).extracting(Burst::segmentBytes).containsExactly(100, 101);
  }

  @Test
  void keepsSendersApart() {
    add(from, 100, 100);
    add(new InetSocketAddress(A, 4792), 200, 100);

    assertThat(arrivals.bursts()).hasSize(2);
  }

  @Test
  void keepsDistantSlicesApart() {
    add(from, 100, 100);
    add(from, 300, 100);

    assertThat(arrivals.bursts()).hasSize(2);
  }

  private void add(InetSocketAddress sender, int index, int length) {
    arrivals.add(new DatagramPacket(memory.retainedSlice(index, length), TO, sender));
  }
}

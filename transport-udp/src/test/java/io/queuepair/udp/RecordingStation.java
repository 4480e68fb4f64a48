// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A device that keeps what arrives and sends what the test tells it to. */
final class RecordingStation implements Station {
  /** Datagrams that no loop reads at once, and that every socket has room for. */
  static final int MORE_THAN_ONE_LOOK = 150;

  private static final long TIMEOUT_SECONDS = 30;

  private final BlockingQueue<byte[]> datagrams = new LinkedBlockingQueue<>();
  private final BlockingQueue<DatagramBurst> bursts = new LinkedBlockingQueue<>();
  private volatile Runnable transmission = () -> {};

  @Override
  public void receive(List<? extends Traffic> traffic) {
    for (Traffic each : traffic) {
      DatagramBurst burst = (DatagramBurst) each;
      bursts.add(burst);
      ByteBuffer bytes = burst.bytes();
      while (bytes.hasRemaining()) {
        byte[] datagram = new byte[Math.min(bytes.remaining(), burst.segmentBytes())];
        bytes.get(datagram);
        datagrams.add(datagram);
      }
    }
  }

  @Override
  public void transmit() {
    transmission.run();
  }

  /** Rings, with something to do when the turn comes. */
  void transmit(Link link, Runnable action) {
    transmission = action;
    link.ringDoorbell();
  }

  /** Sends one burst to a device of the same network in the next turn. */
  void send(Link link, InetAddress from, InetAddress to, byte[]... payloads) {
    transmit(
        link,
        () -> {
          transmission = () -> {};
          sendNow(link, from, to, payloads);
        });
  }

  static void sendNow(Link link, InetAddress from, InetAddress to, byte[]... payloads) {
    ByteBuffer bytes = link.borrow();
    for (byte[] payload : payloads) {
      bytes.put(payload);
    }
    link.send(new DatagramBurst(from, 0, to, bytes.flip(), payloads[0].length), null);
  }

  /** The next datagrams to arrive. */
  List<byte[]> take(int count) {
    List<byte[]> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(await(datagrams, "datagram " + (i + 1) + " of " + count));
    }
    return taken;
  }

  int arrived() {
    return datagrams.size();
  }

  DatagramBurst takeBurst() {
    return await(bursts, "a burst");
  }

  static <T> T await(BlockingQueue<T> queue, String what) {
    try {
      T element = queue.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      assertThat(element).as(what).isNotNull();
      return element;
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted while waiting for " + what, e);
    }
  }
}

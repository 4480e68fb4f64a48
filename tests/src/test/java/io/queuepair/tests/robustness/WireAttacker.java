// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import io.queuepair.emulator.wire.Bth;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.ExtensionHeader;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Reth;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.MemoryRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;

/**
 * Sends packets with a right ICRC from a socket, without a device: it keeps no limits, repeats
 * nothing, and reads answers only to have room for more.
 */
final class WireAttacker implements AutoCloseable {
  /** Of a READ: as many as its bytes need at a path MTU of 256. */
  static final int READ_PACKETS = AttackedDevice.MUCH_BYTES / AttackedDevice.MTU_BYTES;

  private static final int WRITE_BYTES = AttackedDevice.MTU_BYTES;

  /** With its headers and ICRC it is a UDP datagram as large as IPv4 allows. */
  private static final int DATAGRAM_BYTES = 65_480;

  private static final int HOP_LIMIT = 64;
  private static final long QUIET_NANOS = 200_000_000;
  private static final int MOST_ANSWERS = 64;

  private final PacketCodec codec = new PacketCodec();
  private final DatagramChannel socket;
  private final InetSocketAddress there;
  private final Route route;
  private final AttackedDevice.AttackTargets targets;
  private final int[] psns = new int[AttackedDevice.QUEUE_PAIRS];
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16);
  private final Payload small = Payload.of(new byte[WRITE_BYTES]);
  private final Payload large = Payload.of(new byte[DATAGRAM_BYTES]);
  private int turn;
  private long sent;
  private long answers;
  private long lastAnswer;

  WireAttacker(
      InetAddress own, InetAddress target, int port, AttackedDevice.AttackTargets targets) {
    this.targets = targets;
    there = new InetSocketAddress(target, port);
    route = new Route(own, target, port, 0, HOP_LIMIT, 0);
    lastAnswer = System.nanoTime() - QUIET_NANOS;
    try {
      socket = DatagramChannel.open().bind(new InetSocketAddress(own, port));
      socket.configureBlocking(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next queue pair in turn. */
  int nextQueuePair() {
    turn = (turn + 1) % AttackedDevice.QUEUE_PAIRS;
    return turn;
  }

  /** Whether no answer has come for a while. */
  boolean isQuiet() {
    return System.nanoTime() - lastAnswer >= QUIET_NANOS;
  }

  /** Asks for much memory, from one of its packets on. */
  void read(int queuePair, int packet) {
    MemoryRegion much = targets.much();
    int offset = packet * AttackedDevice.MTU_BYTES;
    Reth rest =
        new Reth(much.addr() + offset, much.rkey(), (long) AttackedDevice.MUCH_BYTES - offset);
    int psn = Psn.add(psns[queuePair], packet);
    send(Opcode.RC_RDMA_READ_REQUEST, targets.qpns().get(queuePair), psn, rest, Payload.EMPTY);
    lastAnswer = System.nanoTime();
  }

  /** Asks for much memory; what is asked for next is new. */
  void readNext(int queuePair) {
    read(queuePair, 0);
    psns[queuePair] = Psn.add(psns[queuePair], READ_PACKETS);
  }

  /** Writes something; what is asked for next is new. */
  void writeNext(int queuePair) {
    MemoryRegion target = targets.target();
    Reth all = new Reth(target.addr(), target.rkey(), WRITE_BYTES);
    int qpn = targets.qpns().get(queuePair);
    send(Opcode.RC_RDMA_WRITE_ONLY, qpn, psns[queuePair], all, small);
    psns[queuePair] = Psn.add(psns[queuePair], 1);
  }

  void sendDatagram() {
    send(Opcode.UD_SEND_ONLY, targets.datagramQpn(), 0, new Deth(AttackedDevice.QKEY, 1), large);
  }

  private void send(Opcode opcode, int qpn, int psn, ExtensionHeader header, Payload payload) {
    Bth bth = Bth.of(opcode, qpn, psn).withAckRequest(true);
    Packet packet = new Packet(route, bth, List.of(header), payload);
    bytes.clear().limit(codec.encode(packet, 0, bytes.clear(), 0));
    try {
      sent += socket.send(bytes, there) > 0 ? 1 : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes room for more answers. */
  void readAnswers() {
    try {
      for (int i = 0; i < MOST_ANSWERS && socket.receive(bytes.clear()) != null; i++) {
        answers++;
        lastAnswer = System.nanoTime();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long sent() {
    return sent;
  }

  long answers() {
    return answers;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

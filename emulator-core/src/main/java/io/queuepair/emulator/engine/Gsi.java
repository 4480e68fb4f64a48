// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.MadHeader;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.emulator.wire.Route;
import io.queuepair.verbs.AhAttr;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The general services interface: queue pair 1 of each port, which carries management datagrams
 * (MADs) of 256 bytes (InfiniBand Architecture volume 1, 13.5.2). What arrives goes to the agent
 * that is registered for its class. What is sent waits here until the device has its turn; nothing
 * is sent again. Not thread-safe: used under the lock of the device, as the engine.
 *
 * <p>The connection manager of a device registers itself for {@link MadHeader#CM_CLASS} at each
 * port. Within {@link Agent#receive}, within a verb and when a deadline has passed it may {@link
 * #send}: what it sends leaves at the end of the same step of the driver. A datagram that is
 * refused here counts as lost on its way, which its retransmission mends.
 */
public final class Gsi {
  /** The number of the queue pair, on both sides. */
  public static final int QPN = 1;

  /** The Q_Key of every packet to it. */
  public static final int QKEY = 0x8001_0000;

  /** The source port of UDP that goes with the number. */
  public static final int UDP_SOURCE_PORT = UdpSourcePort.ofDatagrams(QPN);

  /** The largest management class. */
  public static final int MAX_CLASS = 0xff;

  /** Datagrams that wait to be sent, at most. */
  public static final int MAX_WAITING = 4096;

  private final MadRoutes routes;
  private final MutablePacket outgoingPacket = new MutablePacket();

  /** By {@link #keyOf port and management class}: they are few. */
  private final Map<Integer, Agent> agents = new LinkedHashMap<>(2);

  /** By port, from 1: as Linux counts, from 0. */
  private final int[] nextPsn;

  private final Deque<PendingMad> pendingMads = new ArrayDeque<>();
  private long carried;

  /** Without agents yet. */
  public Gsi(int ports, MadRoutes routes) {
    this.routes = routes;
    nextPsn = new int[ports + 1];
  }

  /** Routes of management datagrams, as the ports know addresses. */
  public interface MadRoutes {
    /** The way to an address; null if the own address that it names is not there any more. */
    @Nullable Route routeTo(AhAttr ahAttr);

    /** The address to answer to what came to a port by a way. */
    AhAttr answerTo(Route route, int portNum);
  }

  /** Takes the datagrams of one class that arrive at a port. Called under the device's lock. */
  public interface Agent {
    /**
     * Takes a datagram, or says why not. Must not wait, and not call a program.
     *
     * @param from the address to answer to
     * @param sourceQpn the queue pair to answer to, mostly {@link Gsi#QPN}
     * @param mad 256 bytes, which may change after the call
     * @return null if it was taken; otherwise it is counted as dropped
     */
    @Nullable DropReason receive(AhAttr from, int sourceQpn, Payload mad, long nowNanos);
  }

  /** A datagram that has not left yet. */
  private record PendingMad(Route route, int portNum, int destQpn, Payload mad) {}

  /** Gives datagrams of a class at a port to an agent; false if there is one already. */
  public boolean register(int portNum, int mgmtClass, Agent agent) {
    return agents.putIfAbsent(keyOf(portNum, mgmtClass), agent) == null;
  }

  /** Ends what {@link #register} began. */
  public void deregister(int portNum, int mgmtClass) {
    agents.remove(keyOf(portNum, mgmtClass));
  }

  private static int keyOf(int portNum, int mgmtClass) {
    return portNum * (MAX_CLASS + 1) + mgmtClass;
  }

  /**
   * Sends a datagram to queue pair 1 of a peer.
   *
   * @param mad 256 bytes, which are copied
   * @return whether it will leave: not if {@value #MAX_WAITING} wait already, or the own address is
   *     gone
   */
  public boolean send(AhAttr to, byte[] mad) {
    return send(to, QPN, mad);
  }

  /** Sends to any queue pair that answers to MADs. */
  public boolean send(AhAttr to, int destQpn, byte[] mad) {
    assert mad.length == MadHeader.MAD_BYTES : mad.length;
    Route route = routes.routeTo(to);
    if (route == null || pendingMads.size() == MAX_WAITING) {
      return false;
    }
    pendingMads.addLast(new PendingMad(route, to.portNum(), destQpn, Payload.of(mad.clone())));
    return true;
  }

  boolean hasToSend() {
    return !pendingMads.isEmpty();
  }

  /** The next packet, valid until the next call; null if there is none. */
  @Nullable Packet pollMad() {
    PendingMad next = pendingMads.pollFirst();
    if (next == null) {
      return null;
    }
    int psn = nextPsn[next.portNum];
    nextPsn[next.portNum] = Psn.add(psn, 1);
    carried++;
    return outgoingPacket
        .reset(next.route, Opcode.UD_SEND_ONLY, PartitionKey.DEFAULT, next.destQpn, psn)
        .ackRequest(true) // Without a meaning for datagrams, but so does Linux Soft-RoCE.
        .add(new Deth(QKEY, QPN))
        .setPayload(next.mad);
  }

  /** Takes a packet to queue pair 1; says why not. */
  @Nullable DropReason receiveMad(Packet packet, int portNum, long nowNanos) {
    if (packet.opcode() != Opcode.UD_SEND_ONLY) {
      return DropReason.WRONG_SERVICE;
    }
    if (portNum == 0) {
      return DropReason.NOT_OUR_ADDRESS;
    }
    if (!PartitionKey.matches(packet.pkey(), PartitionKey.DEFAULT)) {
      return DropReason.BAD_PKEY;
    }
    if (packet.deth().qkey() != QKEY) {
      return DropReason.BAD_QKEY;
    }
    if (packet.payloadBytes() != MadHeader.MAD_BYTES) {
      return DropReason.MALFORMED;
    }
    Payload mad = packet.payload();
    Agent agent = agents.get(keyOf(portNum, MadHeader.mgmtClassOf(mad)));
    if (agent == null) {
      return DropReason.NO_AGENT;
    }
    AhAttr from = routes.answerTo(packet.route(), portNum);
    DropReason dropped = agent.receive(from, packet.deth().sourceQpn(), mad, nowNanos);
    carried += dropped == null ? 1 : 0;
    return dropped;
  }

  /** How many datagrams were sent, or taken by an agent. */
  public long carried() {
    return carried;
  }
}

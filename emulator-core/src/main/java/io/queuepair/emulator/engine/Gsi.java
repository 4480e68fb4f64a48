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
 * General services interface: queue pair 1 of each port, which carries management datagrams (MADs)
 * of 256 bytes (InfiniBand Architecture volume 1, 13.5.2). An arriving MAD goes to the agent
 * registered for its class. A MAD to be sent is queued here until the device has its turn; none is
 * retransmitted. Not thread-safe: used under the lock of the device, as the engine.
 *
 * <p>The connection manager of a device registers itself for {@link MadHeader#CM_CLASS} at each
 * port. It may call {@link #send} within {@link Agent#receive}, within a verb, and when a deadline
 * has passed; the MAD leaves at the end of the same step of the driver. A refused MAD counts as
 * lost on its way: the connection manager sends it again.
 */
public final class Gsi {
  public static final int QPN = 1;

  /** Q_Key of every packet to queue pair 1. */
  public static final int QKEY = 0x8001_0000;

  public static final int UDP_SOURCE_PORT = UdpSourcePort.ofDatagrams(QPN);

  public static final int MAX_CLASS = 0xff;

  public static final int MAX_WAITING = 4096;

  private final MadRoutes routes;
  private final MutablePacket outgoingPacket = new MutablePacket();

  /** Agents by {@link #keyOf port and management class}. */
  private final Map<Integer, Agent> agents = new LinkedHashMap<>(2);

  /** Next PSN by port number; each port starts at 0, as in Linux. */
  private final int[] nextPsn;

  private final Deque<PendingMad> pendingMads = new ArrayDeque<>();
  private long carried;

  public Gsi(int ports, MadRoutes routes) {
    this.routes = routes;
    nextPsn = new int[ports + 1];
  }

  /** Address resolution of MADs by the ports. */
  public interface MadRoutes {
    /** Route to an address; null if its source GID is gone. */
    @Nullable Route routeTo(AhAttr ahAttr);

    /** Address of the sender of a MAD that arrived at a port. */
    AhAttr answerTo(Route route, int portNum);
  }

  /** Receiver of the MADs of one class at a port. Called under the device's lock. */
  public interface Agent {
    /**
     * Handles a MAD. Must neither block nor call application code.
     *
     * @param from address for the answer
     * @param sourceQpn QPN for the answer, mostly {@link Gsi#QPN}
     * @param mad 256 bytes, which may change after the call
     * @return null if accepted; otherwise the reason, and the MAD is counted as dropped
     */
    @Nullable DropReason receive(AhAttr from, int sourceQpn, Payload mad, long nowNanos);
  }

  private record PendingMad(Route route, int portNum, Payload mad) {}

  /** Registers an agent for a class at a port; false if there is one already. */
  public boolean register(int portNum, int mgmtClass, Agent agent) {
    return agents.putIfAbsent(keyOf(portNum, mgmtClass), agent) == null;
  }

  public void deregister(int portNum, int mgmtClass) {
    agents.remove(keyOf(portNum, mgmtClass));
  }

  private static int keyOf(int portNum, int mgmtClass) {
    return portNum * (MAX_CLASS + 1) + mgmtClass;
  }

  /**
   * Sends a MAD to queue pair 1 of a peer.
   *
   * @param mad 256 bytes, which must not change afterwards
   * @return false if {@value #MAX_WAITING} MADs wait already, or the source GID is gone
   */
  public boolean send(AhAttr to, Payload mad) {
    assert mad.length() == MadHeader.MAD_BYTES : mad;
    Route route = routes.routeTo(to);
    if (route == null || pendingMads.size() == MAX_WAITING) {
      return false;
    }
    pendingMads.addLast(new PendingMad(route, to.portNum(), mad));
    return true;
  }

  boolean hasToSend() {
    return !pendingMads.isEmpty();
  }

  /** Next MAD packet, valid until the next call; null if there is none. */
  @Nullable Packet pollMad() {
    PendingMad next = pendingMads.pollFirst();
    if (next == null) {
      return null;
    }
    int psn = nextPsn[next.portNum];
    nextPsn[next.portNum] = Psn.add(psn, 1);
    carried++;
    return outgoingPacket
        .reset(next.route, Opcode.UD_SEND_ONLY, PartitionKey.DEFAULT, QPN, psn)
        .ackRequest(true) // Meaningless for datagrams, but set by Linux Soft-RoCE.
        .add(new Deth(QKEY, QPN))
        .setPayload(next.mad);
  }

  /** Hands a packet for queue pair 1 to its agent; returns the drop reason, or null. */
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

  /** Number of MADs sent, or accepted by an agent. */
  public long carried() {
    return carried;
  }
}

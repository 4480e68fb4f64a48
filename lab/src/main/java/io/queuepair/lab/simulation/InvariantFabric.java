// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.verbs.QpState;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Fabric that checks every packet before faults apply: its sender may send, its ICRC, P_Key and
 * Q_Key are correct, and the models of the queue pair allow it.
 */
final class InvariantFabric extends WatchedFabric {
  /** Queue pairs by address and number. */
  private final Map<InetAddress, Map<Integer, SimulatedQp>> sides = new LinkedHashMap<>();

  /** Numbers of the queue pairs that sent or received since the last {@link #takeTouched}. */
  private final Set<Integer> touched = new TreeSet<>();

  InvariantFabric(Fabric fabric, TraceHash trace) {
    super(fabric, trace);
  }

  void add(SimulatedQp side) {
    sides.computeIfAbsent(side.address(), host -> new TreeMap<>()).put(side.qp().qpNum(), side);
  }

  /** Returns the numbers of queue pairs that sent or received since the last call. */
  List<Integer> takeTouched() {
    List<Integer> taken = List.copyOf(touched);
    touched.clear();
    return taken;
  }

  /** Queue pair that a datagram is addressed to; null if there is none. */
  private SimulatedQp receiverOf(DatagramBurst burst) {
    int destQpn = new WirePacket(burst.bytes()).destQpn();
    return sides.getOrDefault(burst.destination(), Map.of()).get(destQpn);
  }

  @Override
  protected void sent(DatagramBurst burst, long nowNanos) {
    WirePacket packet = new WirePacket(burst.bytes());
    SimulatedQp receiver = receiverOf(burst);
    Violation.unless(receiver != null, "a %s to an unknown queue pair", packet);
    touched.add(receiver.peer().number);
    SimulatedQp sender = receiver.peer();
    Violation.unless(
        packet.isResponse() ? mayAnswer(sender, packet) : mayAsk(sender),
        "%s sent a %s, though it must be silent",
        sender,
        packet);
    Violation.unless(isIntact(burst), "%s sent a %s with a wrong ICRC", sender, packet);
    Violation.unless(
        packet.pkey() == sender.pkey(),
        "%s sent a %s with P_Key 0x%x",
        sender,
        packet,
        packet.pkey());
    if (packet.service() == WirePacket.ServiceType.UD) {
      int qkey = packet.qkey();
      Violation.unless(
          qkey == SimulatedQp.QKEY, "%s sent a %s with Q_Key 0x%x", sender, packet, qkey);
    }
    if (sender.judgesWire && sender.isReliable()) {
      if (packet.isResponse()) {
        Violation.unless(
            sender.config.membership().isConnected(),
            "%s answered with a %s a peer in another partition",
            sender,
            packet);
        sender.responder.sent(packet);
      } else {
        sender.requester.sent(packet, nowNanos);
      }
    } else if (sender.judgesWire) {
      sender.sends.sent(packet);
    }
  }

  @Override
  protected void arrived(DatagramBurst burst, long nowNanos) {
    SimulatedQp receiver = receiverOf(burst);
    if (receiver == null) {
      return;
    }
    touched.add(receiver.number);
    boolean isJudged =
        receiver.judgesWire
            && !receiver.hasStopped()
            && burst.source().equals(receiver.peer().address())
            && receiver.isReliable()
            && receiver.config.membership().isConnected();
    if (!isJudged || !isIntact(burst)) {
      return;
    }
    WirePacket packet = new WirePacket(burst.bytes());
    if (!packet.isResponse()) {
      receiver.responder.delivered(packet);
    } else if (receiver.state() == QpState.RTS || receiver.state() == QpState.SQD) {
      receiver.requester.delivered(packet, nowNanos);
    }
  }

  private static boolean isIntact(DatagramBurst burst) {
    return new WirePacket(burst.bytes())
        .hasRightIcrc(burst.source(), burst.sourcePort(), burst.destination());
  }

  private static boolean mayAsk(SimulatedQp side) {
    return side.state() == QpState.RTS || (side.state() == QpState.SQD && !side.isDrained());
  }

  private static boolean mayAnswer(SimulatedQp side, WirePacket packet) {
    if (side.isBeingModified() && packet.kind() == WirePacket.PacketRole.ACKNOWLEDGE) {
      return true;
    }
    return switch (side.state()) {
      case RTR, RTS, SQD, SQE -> true;
      case ERR -> side.mayAnswerInError();
      case RESET, INIT, UNKNOWN -> false;
    };
  }
}

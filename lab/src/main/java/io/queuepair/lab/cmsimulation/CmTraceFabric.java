// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmaHeader;
import io.queuepair.emulator.wire.ImmutableBytes;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.Route;
import io.queuepair.lab.shard.TraceHash;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.lab.simulation.WatchedFabric;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Fabric that hashes the sent packets, records which queue pairs were sent a DREQ, and checks the
 * messages of the connection manager.
 */
final class CmTraceFabric extends WatchedFabric {
  private static final int GSI_QPN = 1;

  private final PacketCodec codec = new PacketCodec();
  private final Set<Disconnected> disconnected = new LinkedHashSet<>();
  private final CmRetransmissions retransmissions = new CmRetransmissions();
  private final CmAnswersOwed answersOwed = new CmAnswersOwed();

  /** Communication id of each connection's active end, by the number in its private data. */
  private final Map<Integer, Integer> requests = new LinkedHashMap<>();

  /** The first violation: {@link #verify} throws it later, outside of the devices. */
  private Violation broken;

  CmTraceFabric(Fabric fabric, TraceHash trace) {
    super(fabric, trace);
  }

  /** Queue pair for which a DREQ has arrived. */
  private record Disconnected(InetAddress host, int qpn) {}

  /** Whether a DREQ for a queue pair has arrived at a host. */
  boolean hasReceivedDreq(InetAddress host, int qpn) {
    return disconnected.contains(new Disconnected(host, qpn));
  }

  /** Communication id in the REQ of a connection. */
  int commIdOf(int connection) {
    return requests.get(connection);
  }

  CmRetransmissions retransmissions() {
    return retransmissions;
  }

  void verify() {
    if (broken != null) {
      throw broken;
    }
    answersOwed.verify(scheduler().nowNanos());
  }

  @Override
  protected void sent(DatagramBurst burst, long nowNanos) {
    CmMessage message = messageIn(burst);
    if (message != null) {
      judge(() -> sent(burst, message, nowNanos));
    }
  }

  private void judge(Runnable rules) {
    try {
      rules.run();
    } catch (Violation violation) {
      broken = broken == null ? violation : broken;
    }
  }

  private void sent(DatagramBurst burst, CmMessage message, long nowNanos) {
    if (message.kind() == CmKind.REQ || message.kind() == CmKind.SIDR_REQ) {
      requests.put(numberIn(message.privateData()), message.localCommId());
    }
    answersOwed.sent(burst.source(), message);
    retransmissions.sent(burst.source(), burst.destination(), message, nowNanos);
  }

  private static int numberIn(ImmutableBytes privateData) {
    return CmaHeader.userBytes(privateData).toArray()[0];
  }

  @Override
  protected void arrived(DatagramBurst burst, long nowNanos) {
    CmMessage message = messageIn(burst);
    if (message == null) {
      return;
    }
    if (message.kind() == CmKind.DREQ) {
      int qpn = message.getInt(CmField.DREQ_REMOTE_QPN);
      disconnected.add(new Disconnected(burst.destination(), qpn));
    }
    answersOwed.arrived(burst.destination(), message, nowNanos);
    retransmissions.arrived(burst.destination(), message, nowNanos);
  }

  /** Message of the connection manager in a datagram; null if there is none. */
  private CmMessage messageIn(DatagramBurst burst) {
    ByteBuffer bytes = burst.bytes();
    Route route = new Route(burst.source(), burst.destination(), burst.sourcePort(), 0, 64, 0);
    return codec.decode(route, bytes, bytes.position(), bytes.remaining()) instanceof Packet packet
            && packet.destQpn() == GSI_QPN
            && CmMessage.decode(packet.payload()) instanceof CmMessage message
        ? message
        : null;
  }
}

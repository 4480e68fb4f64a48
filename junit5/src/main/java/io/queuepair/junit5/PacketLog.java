// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Packets that one queue pair has sent to its peer, read from the capture of the network. */
final class PacketLog {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int MAX_PAUSES = 200;

  private final QpEndpoint sender;

  private PacketLog(QpEndpoint sender) {
    this.sender = sender;
  }

  static PacketLog of(QpEndpoint sender) {
    return new PacketLog(sender);
  }

  /**
   * Reads the packets: in virtual time once, in real time until a condition holds, at most for a
   * second.
   */
  List<SentPacket> await(Predicate<List<SentPacket>> condition) {
    boolean isRealTime = sender.network().settings().kind() != NetworkKind.VIRTUAL;
    List<SentPacket> packets = read();
    for (int i = 0; isRealTime && i < MAX_PAUSES && !condition.test(packets); i++) {
      LockSupport.parkNanos(PAUSE_NANOS);
      packets = read();
    }
    return packets;
  }

  private List<SentPacket> read() {
    List<SentPacket> packets = new ArrayList<>();
    Set<SentPacket> seen = new LinkedHashSet<>();
    try (CaptureFile file = CaptureFile.open(sender.network().files().capture())) {
      for (Optional<PacketRecord> next = next(file); next.isPresent(); next = next(file)) {
        SentPacket packet = isOfSender(next.get()) ? SentPacket.of(next.get()) : null;
        if (packet != null && (seen.add(packet) || packet.mayRepeat())) {
          packets.add(packet);
        }
      }
    }
    return packets;
  }

  /** In real time the file may end within a packet that is being written. */
  private static Optional<PacketRecord> next(CaptureFile file) {
    try {
      return file.next();
    } catch (FabricException unfinished) {
      return Optional.empty();
    }
  }

  private boolean isOfSender(PacketRecord packet) {
    Object destination = packet.fields().get("qpn");
    return packet.source().getHostAddress().equals(sender.address())
        && packet.destination().getHostAddress().equals(sender.peer().address())
        && destination instanceof Number qpn
        && qpn.intValue() == sender.peer().qp().qpNum();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Applied faults, each as a statement about that one packet, without random choices. */
final class FaultLog {
  private final List<FaultStatement> otherStatements;
  private final Map<Identity, Long> countByIdentity = new LinkedHashMap<>();
  private final List<PacketFault> packetFaults = new ArrayList<>();

  /** Fields that identify a packet; packets with equal fields differ by a number. */
  private record Identity(Opcode opcode, @Nullable InetAddress destination, int qpn, int psn) {
    private static Identity of(PacketContext packetContext) {
      Packet packet = packetContext.packet();
      return new Identity(
          packet.opcode(), packetContext.destination(), packet.destQpn(), packet.psn());
    }

    private PacketFilter selection(long number) {
      List<Condition> conditions =
          List.of(
              new Condition.To(destination),
              new Condition.Qp(qpn),
              new Condition.PsnRange(psn, psn));
      PacketKind kind = PacketKind.named(opcode.name());
      return new PacketFilter(new MatchCount.Range(number, number), kind, conditions);
    }
  }

  FaultLog(FaultPlan plan) {
    otherStatements =
        plan.statements().stream()
            .filter(statement -> !(statement instanceof PacketFault))
            .toList();
  }

  void add(PacketContext packetContext, List<FaultDecision.AppliedFault> appliedFaults) {
    if (packetContext.packet() == null) {
      return;
    }
    Identity identity = Identity.of(packetContext);
    long number = countByIdentity.merge(identity, 1L, Long::sum);
    for (FaultDecision.AppliedFault fault : appliedFaults) {
      packetFaults.add(new PacketFault(exactly(fault, packetContext), identity.selection(number)));
    }
  }

  /** Replaces the random choices of an effect by those that were made. */
  private static Effect exactly(FaultDecision.AppliedFault fault, PacketContext packetContext) {
    if (fault.effect() instanceof Effect.Delay delay) {
      return new Effect.Delay(false, fault.delayNanos(delay));
    }
    if (fault.effect() instanceof Effect.CorruptBit) {
      long bit = fault.choice((long) packetContext.bytes() * Byte.SIZE);
      return new Effect.CorruptByte((int) (bit / Byte.SIZE));
    }
    return fault.effect();
  }

  /** Plan of the faults of packets, and of the statements that are not about single packets. */
  FaultPlan plan(long seed) {
    List<FaultStatement> statements = new ArrayList<>(otherStatements);
    statements.addAll(packetFaults);
    return new FaultPlan(statements, seed);
  }
}

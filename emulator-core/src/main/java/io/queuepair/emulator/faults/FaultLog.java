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

/**
 * The faults that were applied to packets, each as a statement about that packet, without chance.
 */
final class FaultLog {
  private final List<FaultStatement> otherStatements;
  private final Map<Identity, Long> countByIdentity = new LinkedHashMap<>();
  private final List<PacketFault> packetFaults = new ArrayList<>();

  /** Identity of a packet; packets that agree in it are counted. */
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

  /** Another packet is looked at, to which this is done. */
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

  /** The effect with what chance has decided. */
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

  /** The faults of packets, and the statements that are not about single packets. */
  FaultPlan plan(long seed) {
    List<FaultStatement> statements = new ArrayList<>(otherStatements);
    statements.addAll(packetFaults);
    return new FaultPlan(statements, seed);
  }
}

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
  private final List<FaultStatement> others;
  private final Map<Identity, Long> seen = new LinkedHashMap<>();
  private final List<PacketFault> rules = new ArrayList<>();

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
    others = plan.statements().stream().filter(one -> !(one instanceof PacketFault)).toList();
  }

  /** Another packet is looked at, to which this is done. */
  void add(PacketContext packetContext, List<FaultDecision.AppliedFault> done) {
    if (packetContext.packet() == null) {
      return;
    }
    Identity identity = Identity.of(packetContext);
    long number = seen.merge(identity, 1L, Long::sum);
    for (FaultDecision.AppliedFault one : done) {
      rules.add(new PacketFault(exactly(one, packetContext), identity.selection(number)));
    }
  }

  /** The effect with what chance has decided. */
  private static Effect exactly(FaultDecision.AppliedFault taken, PacketContext packetContext) {
    if (taken.effect() instanceof Effect.Delay delay) {
      return new Effect.Delay(false, taken.delayNanos(delay));
    }
    if (taken.effect() instanceof Effect.CorruptBit) {
      long bit = taken.choice((long) packetContext.bytes() * Byte.SIZE);
      return new Effect.CorruptByte((int) (bit / Byte.SIZE));
    }
    return taken.effect();
  }

  /** The rules, and the statements that are not about single packets. */
  FaultPlan plan(long seed) {
    List<FaultStatement> all = new ArrayList<>(others);
    all.addAll(rules);
    return new FaultPlan(all, seed);
  }
}

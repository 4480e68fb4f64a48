package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a plan has done to packets, each fault as a rule about that packet: without chance. */
final class FaultRecord {
  private final List<Statement> others;
  private final Map<Identity, Long> seen = new LinkedHashMap<>();
  private final List<PacketFault> rules = new ArrayList<>();

  /** What tells packets apart; those that agree in it are counted. */
  private record Identity(Opcode opcode, InetAddress destination, int qpn, int psn) {
    private static Identity of(Passing passing) {
      Packet packet = passing.packet();
      return new Identity(packet.opcode(), passing.destination(), packet.destQpn(), packet.psn());
    }

    private Selection selection(long number) {
      List<Condition> conditions =
          List.of(
              new Condition.To(destination),
              new Condition.Qp(qpn),
              new Condition.PsnRange(psn, psn));
      PacketKind kind = PacketKind.named(opcode.name());
      return new Selection(new Amount.Range(number, number), kind, conditions);
    }
  }

  FaultRecord(FaultPlan plan) {
    others = plan.statements().stream().filter(one -> !(one instanceof PacketFault)).toList();
  }

  /** Another packet is looked at, to which this is done. */
  void add(Passing passing, List<Fate.Taken> done) {
    if (passing.packet() == null) {
      return;
    }
    Identity identity = Identity.of(passing);
    long number = seen.merge(identity, 1L, Long::sum);
    for (Fate.Taken one : done) {
      rules.add(new PacketFault(exactly(one, passing), identity.selection(number)));
    }
  }

  /** The effect with what chance has decided. */
  private static Effect exactly(Fate.Taken taken, Passing passing) {
    if (taken.effect() instanceof Effect.Delay delay) {
      return new Effect.Delay(false, taken.delayNanos(delay));
    }
    if (taken.effect() instanceof Effect.CorruptBit) {
      long bit = taken.choice((long) passing.bytes() * Byte.SIZE);
      return new Effect.CorruptByte((int) (bit / Byte.SIZE));
    }
    return taken.effect();
  }

  /** The rules, and the statements that are not about single packets. */
  FaultPlan plan(long seed) {
    List<Statement> all = new ArrayList<>(others);
    all.addAll(rules);
    return new FaultPlan(all, seed);
  }
}

package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A group of opcodes by name: one opcode, with or without its service; an operation, whatever its
 * position; a service; requests, responses; and acknowledgements by what they say.
 */
final class PacketKind {
  private static final String RDMA = "RDMA_";

  private final String name;
  private final Set<Opcode> opcodes;
  private final Predicate<Aeth> verdict;

  private PacketKind(String name, Set<Opcode> opcodes, Predicate<Aeth> verdict) {
    this.name = name;
    this.opcodes = opcodes;
    this.verdict = verdict;
  }

  /** The kind of a name in upper or lower case; null if there is none. */
  static PacketKind named(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    Predicate<Aeth> verdict = verdictOf(name);
    Set<Opcode> opcodes = EnumSet.noneOf(Opcode.class);
    for (Opcode opcode : Opcode.values()) {
      if (verdict == null ? isNamed(opcode, name) : isAcknowledgement(opcode)) {
        opcodes.add(opcode);
      }
    }
    return opcodes.isEmpty() ? null : new PacketKind(name, opcodes, verdict);
  }

  private static Predicate<Aeth> verdictOf(String name) {
    return switch (name) {
      case "ACK" -> Aeth::isAck;
      case "NAK" -> Aeth::isNak;
      case "RNR_NAK" -> Aeth::isRnrNak;
      default -> null;
    };
  }

  private static boolean isAcknowledgement(Opcode opcode) {
    return opcode.operation() == Operation.ACKNOWLEDGE;
  }

  private static boolean isNamed(Opcode opcode, String name) {
    return switch (name) {
      case "REQUEST" -> opcode.isRequest();
      case "RESPONSE" -> opcode.isResponse();
      case "ATOMIC" ->
          opcode.operation() == Operation.COMPARE_SWAP || opcode.operation() == Operation.FETCH_ADD;
      default -> {
        String full = opcode.name();
        String bare = full.substring(full.indexOf('_') + 1);
        yield name.equals(full)
            || name.equals(opcode.service().name())
            || isNamed(bare, name)
            || isNamed(opcode.operation().name(), name);
      }
    };
  }

  /** The names of the specification are often said without their RDMA. */
  private static boolean isNamed(String known, String name) {
    return name.equals(known)
        || (known.startsWith(RDMA) && name.equals(known.substring(RDMA.length())));
  }

  boolean has(Packet packet) {
    return opcodes.contains(packet.opcode()) && (verdict == null || verdict.test(packet.aeth()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PacketKind that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}

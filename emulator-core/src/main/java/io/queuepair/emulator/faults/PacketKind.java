// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.MadPayload;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A group of opcodes by name: one opcode, with or without its service; an operation, whatever its
 * position; a service; requests, responses; acknowledgements by their syndrome; and MADs, all of
 * them or by CM message.
 */
final class PacketKind {
  private static final String RDMA = "RDMA_";

  private final String name;
  private final Set<Opcode> opcodes;
  private final @Nullable Predicate<Packet> content;

  private PacketKind(String name, Set<Opcode> opcodes, @Nullable Predicate<Packet> content) {
    this.name = name;
    this.opcodes = opcodes;
    this.content = content;
  }

  /** The kind of a name in upper or lower case; null if there is none. */
  static @Nullable PacketKind named(String text) {
    String name = text.toUpperCase(Locale.ROOT);
    Predicate<Packet> datagram = datagramOf(name);
    if (datagram != null) {
      return new PacketKind(name, EnumSet.of(Opcode.UD_SEND_ONLY), datagram);
    }
    Predicate<Aeth> verdict = verdictOf(name);
    Set<Opcode> opcodes = EnumSet.noneOf(Opcode.class);
    for (Opcode opcode : Opcode.values()) {
      if (verdict == null ? isNamed(opcode, name) : opcode.operation() == Operation.ACKNOWLEDGE) {
        opcodes.add(opcode);
      }
    }
    Predicate<Packet> content = verdict == null ? null : packet -> verdict.test(packet.aeth());
    return opcodes.isEmpty() ? null : new PacketKind(name, opcodes, content);
  }

  private static @Nullable Predicate<Aeth> verdictOf(String name) {
    return switch (name) {
      case "ACK" -> Aeth::isAck;
      case "NAK" -> Aeth::isNak;
      case "RNR_NAK" -> Aeth::isRnrNak;
      default -> null;
    };
  }

  /** Condition on datagrams for queue pair 1; null for names of other packets. */
  private static @Nullable Predicate<Packet> datagramOf(String name) {
    if (name.equals("MAD")) {
      return MadPayload::isForGsi;
    }
    if (name.equals("CM")) {
      return packet -> messageIn(packet) != null;
    }
    for (CmKind kind : CmKind.values()) {
      if (kind.name().equals(name)) {
        return packet -> messageIn(packet) == kind;
      }
    }
    return null;
  }

  private static @Nullable CmKind messageIn(Packet packet) {
    MadPayload mad = MadPayload.in(packet);
    return mad == null ? null : mad.kind();
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

  /** Whether a name is a known one, whose prefix RDMA_ may be left out. */
  private static boolean isNamed(String known, String name) {
    return name.equals(known)
        || (known.startsWith(RDMA) && name.equals(known.substring(RDMA.length())));
  }

  boolean has(Packet packet) {
    return opcodes.contains(packet.opcode()) && (content == null || content.test(packet));
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

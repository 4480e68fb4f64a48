// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Aeth;
import io.queuepair.emulator.wire.NakCode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketField;
import java.util.Locale;

/** An effect on a packet; {@code toString} gives it in the plan language. */
sealed interface Effect {
  /** Describes the effect in the past tense, for traces. */
  String done();

  /** Whether the effect can be applied to a packet. */
  default boolean canBeDoneTo(PacketContext packetContext) {
    return true;
  }

  record Drop() implements Effect {
    @Override
    public String done() {
      return "dropped";
    }

    @Override
    public String toString() {
      return "drop";
    }
  }

  record Duplicate() implements Effect {
    @Override
    public String done() {
      return "doubled";
    }

    @Override
    public String toString() {
      return "duplicate";
    }
  }

  /** The next packet of the sender overtakes this one, which waits at most ten microseconds. */
  record Reorder() implements Effect {
    @Override
    public String done() {
      return "overtaken";
    }

    @Override
    public String toString() {
      return "reorder";
    }
  }

  /**
   * The packet arrives late.
   *
   * @param isLimit whether the delay is random and at most {@code nanos}, instead of exactly {@code
   *     nanos}
   */
  record Delay(boolean isLimit, long nanos) implements Effect {
    @Override
    public String done() {
      return "late";
    }

    @Override
    public String toString() {
      return (isLimit ? "delay up to " : "delay ") + DurationFormat.text(nanos);
    }
  }

  /**
   * The packet waits until a time.
   *
   * @param endNanos that time, since the beginning of the plan
   */
  record Wait(long endNanos) implements Effect {
    @Override
    public String done() {
      return "late";
    }
  }

  /** Some bits change on the way. */
  sealed interface Corrupt extends Effect {
    @Override
    default String done() {
      return "corrupted";
    }
  }

  /** One random bit is flipped. */
  record CorruptBit() implements Corrupt {
    @Override
    public String toString() {
      return "corrupt";
    }
  }

  /**
   * One bit of one byte is flipped.
   *
   * @param index index of the byte; 0 is the first byte of the BTH
   */
  record CorruptByte(int index) implements Corrupt {
    @Override
    public boolean canBeDoneTo(PacketContext packetContext) {
      return index < packetContext.bytes();
    }

    @Override
    public String toString() {
      return "corrupt byte " + index;
    }
  }

  /** One bit of the invariant CRC is flipped. */
  record CorruptIcrc() implements Corrupt {
    @Override
    public boolean canBeDoneTo(PacketContext packetContext) {
      return packetContext.packet() != null;
    }

    @Override
    public String toString() {
      return "corrupt icrc";
    }
  }

  /** One bit of a field is flipped; the ICRC stays that of the original packet. */
  record CorruptField(PacketField field) implements Corrupt {
    @Override
    public boolean canBeDoneTo(PacketContext packetContext) {
      return packetContext.packet() != null && field.isIn(packetContext.packet());
    }

    @Override
    public String toString() {
      return "corrupt " + field;
    }
  }

  /**
   * A field is changed and the ICRC recomputed, so that the receiver takes the packet for genuine.
   *
   * @param sign 0 to replace the value, 1 to add to it, -1 to subtract from it
   */
  record Rewrite(PacketField field, int sign, long value) implements Effect {
    @Override
    public boolean canBeDoneTo(PacketContext packetContext) {
      return packetContext.packet() != null && field.isIn(packetContext.packet());
    }

    Packet applyTo(Packet packet) {
      return field.with(packet, newValue(field.of(packet)));
    }

    private long newValue(long old) {
      return sign == 0 ? value : old + sign * value;
    }

    @Override
    public String done() {
      return "rewritten";
    }

    @Override
    public String toString() {
      String signed = sign == 0 ? "" : sign > 0 ? "+" : "-";
      return "set " + field + " " + signed + Long.toUnsignedString(value);
    }
  }

  /** A forged response answers a request, which goes no further, or replaces a response. */
  sealed interface Forge extends Effect {
    /** AETH of the forged response. */
    Aeth verdict(int msn);

    /** Whether the service of the packet has acknowledgements. */
    @Override
    default boolean canBeDoneTo(PacketContext packetContext) {
      Packet packet = packetContext.packet();
      return packet != null && ForgedResponses.existIn(packet.opcode().service());
    }

    @Override
    default String done() {
      return "forged";
    }
  }

  /** The request is acknowledged. */
  record ForgeAck() implements Forge {
    @Override
    public Aeth verdict(int msn) {
      return Aeth.ack(msn);
    }

    @Override
    public String toString() {
      return "forge ack";
    }
  }

  /** The request is answered by a NAK. */
  record ForgeNak(NakCode code) implements Forge {
    @Override
    public Aeth verdict(int msn) {
      return Aeth.nak(code, msn);
    }

    @Override
    public String toString() {
      return "forge nak " + code.name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The request is answered by an RNR NAK.
   *
   * @param timerCode 0 to 31, the code of the time that the requester is to wait
   */
  record ForgeRnrNak(int timerCode) implements Forge {
    @Override
    public Aeth verdict(int msn) {
      return Aeth.rnrNak(timerCode, msn);
    }

    @Override
    public String toString() {
      return "forge rnr_nak " + timerCode;
    }
  }
}

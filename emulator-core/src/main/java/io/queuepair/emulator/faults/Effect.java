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

  /** Whether there is something in a packet to do it to. */
  default boolean canBeDoneTo(PacketContext packetContext) {
    return true;
  }

  /** The packet never arrives. */
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

  /** The packet arrives twice. */
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

  /** The packet is overtaken by the next one of its sender, or waits ten microseconds for one. */
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
   * @param isLimit whether it is late by at most that, at random, and not by exactly that
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
   * The packet waits for a time.
   *
   * @param endNanos since the beginning of the plan
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

  /** One bit, at random. */
  record CorruptBit() implements Corrupt {
    @Override
    public String toString() {
      return "corrupt";
    }
  }

  /**
   * One bit of one byte.
   *
   * @param index counts from 0, the first byte of the BTH
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

  /** One bit of the invariant CRC. */
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

  /** One bit of a field; the ICRC is that of the packet as it was. */
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
   * A field is changed, and the ICRC with it: the receiver takes the packet for genuine.
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

  /** An answer takes the place of a request, or of the answer that it is. */
  sealed interface Forge extends Effect {
    /** AETH of the forged answer. */
    Aeth verdict(int msn);

    /** Only reliable services have answers. */
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

  /** The request is refused. */
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
   * The receiver is said not to be ready.
   *
   * @param timerCode 0 to 31, how long the requester is to wait
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

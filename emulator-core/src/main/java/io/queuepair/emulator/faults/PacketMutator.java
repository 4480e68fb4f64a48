// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.DatagramBurst;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Frame;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.PacketField;
import io.queuepair.emulator.wire.RoceV2;
import java.nio.ByteBuffer;
import java.util.List;

/** Applies faults to the contents of packets. */
final class PacketMutator {
  private final Fabric.PacketForm form;
  private final PacketCodec codec = new PacketCodec();

  /**
   * Creates a mutator for a link.
   *
   * @param form form of genuine packets; corrupted ones are always encoded
   */
  PacketMutator(Fabric.PacketForm form) {
    this.form = form;
  }

  /**
   * Applies all faults that change the contents of traffic, as far as they can be applied to what
   * the ones before have made of it.
   */
  Traffic applied(Traffic traffic, FaultDecision decision) {
    Packet changedPacket = PacketContext.packetIn(traffic, codec);
    boolean isChanged = false;
    for (FaultDecision.AppliedFault fault : decision.applied()) {
      if (fault.effect() instanceof Effect.Rewrite rewrite && rewrite.field().isIn(changedPacket)) {
        changedPacket = rewrite.applyTo(changedPacket);
        isChanged = true;
      } else if (fault.effect() instanceof Effect.Forge forge) {
        changedPacket = ForgedResponses.insteadOf(changedPacket, forge).withNote(fault.note());
        isChanged = true;
      }
    }
    Traffic changedTraffic = isChanged ? genuine(changedPacket) : traffic;
    PacketContext changedContext = new PacketContext(changedTraffic, 0, codec);
    List<FaultDecision.AppliedFault> possibleFaults =
        decision.applied().stream()
            .filter(fault -> fault.effect().canBeDoneTo(changedContext))
            .toList();
    for (FaultDecision.AppliedFault fault : possibleFaults) {
      if (fault.effect() instanceof Effect.Corrupt corrupt) {
        changedTraffic = corrupted(changedTraffic, changedPacket, corrupt, fault);
      }
    }
    return changedTraffic;
  }

  /** Converts a packet to the form of the link. */
  Traffic genuine(Packet packet) {
    return switch (form) {
      case OBJECTS ->
          new PacketEnvelope(packet.route().source(), packet.route().destination(), packet);
      case ENCODED -> encoded(packet);
    };
  }

  private DatagramBurst encoded(Packet packet) {
    int length = PacketCodec.encodedBytes(packet);
    ByteBuffer bytes = ByteBuffer.allocate(length);
    codec.encode(packet, 0, bytes, 0);
    return new DatagramBurst(
        packet.route().source(),
        packet.route().sourcePort(),
        packet.route().destination(),
        bytes,
        length,
        packet.note());
  }

  private Traffic corrupted(
      Traffic traffic, Packet packet, Effect.Corrupt corrupt, FaultDecision.AppliedFault fault) {
    Traffic encodedTraffic = traffic instanceof PacketEnvelope ? encoded(packet) : traffic;
    if (traffic instanceof Frame frame) {
      // A duplicate may be under way that shares these bytes.
      ByteBuffer copy = ByteBuffer.allocate(frame.bytes().remaining());
      encodedTraffic = new Frame(frame.source(), copy.put(frame.bytes().duplicate()).flip());
    }
    ByteBuffer bytes =
        encodedTraffic instanceof DatagramBurst burst
            ? burst.bytes()
            : ((Frame) encodedTraffic).bytes();
    int icrc = bytes.limit() - RoceV2.ICRC_BYTES;
    if (corrupt instanceof Effect.CorruptBit) {
      flip(bytes, fault.choice((long) bytes.limit() * Byte.SIZE));
    } else if (corrupt instanceof Effect.CorruptByte corruptByte) {
      flip(bytes, (long) corruptByte.index() * Byte.SIZE + fault.choice(Byte.SIZE));
    } else if (corrupt instanceof Effect.CorruptIcrc) {
      flip(bytes, (long) icrc * Byte.SIZE + fault.choice(RoceV2.ICRC_BYTES * Byte.SIZE));
    } else if (corrupt instanceof Effect.CorruptField corruptField) {
      PacketField field = corruptField.field();
      long bit = 1L << fault.choice(field.bitsIn(packet));
      DatagramBurst other = encoded(field.with(packet, field.of(packet) ^ bit));
      // Copies all but the ICRC, which stays that of the genuine packet.
      bytes.put(0, other.bytes(), 0, icrc);
    }
    return encodedTraffic;
  }

  private static void flip(ByteBuffer bytes, long bit) {
    int at = (int) (bit / Byte.SIZE);
    bytes.put(at, (byte) (bytes.get(at) ^ (1 << (bit % Byte.SIZE))));
  }
}

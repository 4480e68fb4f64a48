// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes packets: the UDP payload from BTH to ICRC, in big-endian buffers, at absolute
 * offsets; no position changes. Not thread-safe, because its {@link Icrc} is not.
 */
public final class PacketCodec {
  private final Icrc icrc = new Icrc();
  private final Packet next = new Packet();

  public static int encodedBytes(Packet packet) {
    int payloadBytes = packet.payloadBytes();
    return packet.opcode().headerBytes()
        + payloadBytes
        + RoceV2.padBytes(payloadBytes)
        + RoceV2.ICRC_BYTES;
  }

  /**
   * Encodes a packet that is sent with DF set.
   *
   * @param identification identification in the IPv4 header, ignored over IPv6
   * @return number of bytes written, {@link #encodedBytes}
   */
  public int encode(Packet packet, int identification, ByteBuffer into, int offset) {
    assert into.order() == ByteOrder.BIG_ENDIAN : into;
    int pad = RoceV2.padBytes(packet.payloadBytes());
    packet.write(pad, into, offset);
    int at = offset + packet.opcode().headerBytes() + packet.payloadBytes();
    for (int i = 0; i < pad; i++) {
      into.put(at++, (byte) 0);
    }
    Icrc.write(icrc.compute(packet.route(), identification, into, offset, at - offset), into, at);
    return at + RoceV2.ICRC_BYTES - offset;
  }

  /** Whether encoding gives the decoded bytes again: they set nothing without a meaning. */
  public boolean reproduces(EthernetFrame frame, Packet packet) {
    int length = encodedBytes(packet);
    ByteBuffer again = ByteBuffer.allocate(length);
    encode(packet, frame.identification(), again, 0);
    Payload writtenPayload = new Payload(again, 0, length);
    EthernetFrame writtenFrame =
        new EthernetFrame(frame.route(), frame.identification(), frame.flags(), writtenPayload);
    Icrc.write(icrc.compute(writtenFrame), again, length - RoceV2.ICRC_BYTES);
    return writtenPayload.equals(frame.udpPayload());
  }

  /** Decodes a packet to a view of {@code bytes}, or to the reason to drop it. Never throws. */
  public DecodeResult decode(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason reason = findFault(route, bytes, offset, length);
    return reason != null ? reason : Packet.of(route, bytes, offset, length);
  }

  /** Decodes a packet into an object that is reused: it is valid until the next call. */
  public DecodeResult decodeNext(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason reason = findFault(route, bytes, offset, length);
    if (reason != null) {
      return reason;
    }
    next.read(route, bytes, offset, length);
    return next;
  }

  /** Decodes a captured packet, with its ICRC by the captured headers, or says why not. */
  public DecodeResult decode(EthernetFrame frame) {
    Payload udpPayload = frame.udpPayload();
    DropReason reason = findFault(udpPayload.buffer(), udpPayload.offset(), udpPayload.length());
    if (reason != null) {
      return reason;
    }
    if (!icrc.verify(frame)) {
      return DropReason.BAD_ICRC;
    }
    return Packet.of(frame.route(), udpPayload.buffer(), udpPayload.offset(), udpPayload.length());
  }

  /** Decodes a packet without checking its ICRC, or returns the reason why it is malformed. */
  public DecodeResult decodeUnchecked(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason reason = findFault(bytes, offset, length);
    return reason != null ? reason : Packet.of(route, bytes, offset, length);
  }

  /** Reason to drop a packet that has arrived; null if there is none. */
  private @Nullable DropReason findFault(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason reason = findFault(bytes, offset, length);
    boolean isIntact = reason != null || icrc.verify(route, bytes, offset, length);
    return isIntact ? reason : DropReason.BAD_ICRC;
  }

  /** Reason to drop, by checks without device and ICRC, as {@code rxe_recv.c} orders them. */
  private static @Nullable DropReason findFault(ByteBuffer bytes, int offset, int length) {
    assert bytes.order() == ByteOrder.BIG_ENDIAN : bytes;
    if (length < RoceV2.BTH_BYTES + RoceV2.ICRC_BYTES) {
      return DropReason.TOO_SHORT;
    }
    Opcode opcode = Bth.opcodeAt(bytes, offset);
    if (opcode == null) {
      return DropReason.UNKNOWN_OPCODE;
    }
    int paddedBytes = length - opcode.headerBytes() - RoceV2.ICRC_BYTES;
    if (paddedBytes < 0) {
      return DropReason.BAD_LENGTH;
    }
    if (Bth.transportVersionAt(bytes, offset) != 0) {
      return DropReason.BAD_TRANSPORT_VERSION;
    }
    if (Bth.destQpnAt(bytes, offset) == 0) {
      return DropReason.DEST_QP_ZERO;
    }
    int payloadBytes = paddedBytes - Bth.padCountAt(bytes, offset);
    boolean fits = payloadBytes >= 0 && paddedBytes % 4 == 0;
    boolean isForbidden = paddedBytes > 0 && opcode.payloadRule() == PayloadRule.NONE;
    return fits && !isForbidden ? null : DropReason.BAD_LENGTH;
  }
}

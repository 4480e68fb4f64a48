package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Packets to bytes and back: the UDP payload from BTH to ICRC, in big-endian buffers, at absolute
 * offsets; no position is moved. Not thread-safe, because its {@link Icrc} is not.
 */
public final class PacketCodec {
  private final Icrc icrc = new Icrc();

  public static int encodedBytes(Packet packet) {
    int payloadBytes = packet.payload().length();
    return packet.opcode().headerBytes()
        + payloadBytes
        + RoceV2.padBytes(payloadBytes)
        + RoceV2.ICRC_BYTES;
  }

  /**
   * Writes a packet that will leave with DF set.
   *
   * @param identification what the IPv4 header will say, ignored over IPv6
   * @return the bytes written, {@link #encodedBytes}
   */
  public int encode(Packet packet, int identification, ByteBuffer into, int offset) {
    assert into.order() == ByteOrder.BIG_ENDIAN : into;
    Payload payload = packet.payload();
    int pad = RoceV2.padBytes(payload.length());
    packet.bth().write(pad, into, offset);
    int at = writeExtensions(packet.extensions(), into, offset + RoceV2.BTH_BYTES);
    payload.copyTo(into, at);
    at += payload.length();
    for (int i = 0; i < pad; i++) {
      into.put(at++, (byte) 0);
    }
    Icrc.write(icrc.compute(packet.route(), identification, into, offset, at - offset), into, at);
    return at + RoceV2.ICRC_BYTES - offset;
  }

  /**
   * Whether encoding a packet gives the very bytes that it was decoded from, ICRC included. It does
   * unless the bytes set something that has no meaning, such as a reserved bit.
   */
  public boolean reproduces(EthernetFrame frame, Packet packet) {
    int length = encodedBytes(packet);
    ByteBuffer again = ByteBuffer.allocate(length);
    encode(packet, frame.identification(), again, 0);
    Payload written = new Payload(again, 0, length);
    EthernetFrame reframed =
        new EthernetFrame(frame.route(), frame.identification(), frame.flags(), written);
    Icrc.write(icrc.compute(reframed), again, length - RoceV2.ICRC_BYTES);
    return written.equals(frame.datagram());
  }

  private static int writeExtensions(List<ExtensionHeader> extensions, ByteBuffer into, int at) {
    int next = at;
    for (int i = 0; i < extensions.size(); i++) {
      ExtensionHeader extension = extensions.get(i);
      extension.write(into, next);
      next += extension.kind().bytes();
    }
    return next;
  }

  /** A packet whose payload is a view of {@code bytes}, or why it is dropped. Never throws. */
  public Decoded decode(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason fault = findFault(bytes, offset, length);
    if (fault != null) {
      return fault;
    }
    if (!icrc.verify(route, bytes, offset, length)) {
      return DropReason.BAD_ICRC;
    }
    return read(route, bytes, offset, length);
  }

  /**
   * The same of a captured packet, whose ICRC is checked against the headers that were captured.
   */
  public Decoded decode(EthernetFrame frame) {
    Payload datagram = frame.datagram();
    DropReason fault = findFault(datagram.buffer(), datagram.offset(), datagram.length());
    if (fault != null) {
      return fault;
    }
    if (!icrc.verify(frame)) {
      return DropReason.BAD_ICRC;
    }
    return read(frame.route(), datagram.buffer(), datagram.offset(), datagram.length());
  }

  /** The same without the ICRC, for traces. */
  public Decoded decodeUnchecked(Route route, ByteBuffer bytes, int offset, int length) {
    DropReason fault = findFault(bytes, offset, length);
    return fault != null ? fault : read(route, bytes, offset, length);
  }

  /**
   * The checks that need no device, in the order of Linux {@code rxe_recv.c}, which has the ICRC
   * last. Null when there is nothing to complain about.
   */
  private static DropReason findFault(ByteBuffer bytes, int offset, int length) {
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

  private static Packet read(Route route, ByteBuffer bytes, int offset, int length) {
    Bth bth = Bth.read(bytes, offset);
    List<ExtensionHeader> extensions =
        readExtensions(bth.opcode().headers(), bytes, offset + RoceV2.BTH_BYTES);
    int at = offset + bth.opcode().headerBytes();
    int end = offset + length - RoceV2.ICRC_BYTES - Bth.padCountAt(bytes, offset);
    Payload payload = at == end ? Payload.EMPTY : new Payload(bytes, at, end - at);
    return new Packet(route, bth, extensions, payload);
  }

  private static List<ExtensionHeader> readExtensions(
      List<HeaderKind> kinds, ByteBuffer bytes, int offset) {
    if (kinds.isEmpty()) {
      return List.of();
    }
    if (kinds.size() == 1) {
      return List.of(kinds.get(0).read(bytes, offset));
    }
    ExtensionHeader[] extensions = new ExtensionHeader[kinds.size()];
    int at = offset;
    for (int i = 0; i < extensions.length; i++) {
      extensions[i] = kinds.get(i).read(bytes, at);
      at += kinds.get(i).bytes();
    }
    return List.of(extensions);
  }
}

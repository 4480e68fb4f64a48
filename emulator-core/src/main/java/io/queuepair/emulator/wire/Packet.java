// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * RoCEv2 packet. Its extensions are those of its opcode, in order. The payload, and after decoding
 * the extensions, are views of bytes that may be reused; a {@link MutablePacket} is reused itself.
 * Code that keeps a packet makes a {@link #copy()}.
 */
public sealed class Packet implements DecodeResult, TransmitUnit permits MutablePacket {
  private static final ByteBuffer NO_EXTENSIONS = ByteBuffer.allocate(0);

  Route route;

  // Words of the BTH as on the wire: a Bth object for each packet would take more memory.
  int codeWord;
  int qpnWord;
  int psnWord;

  // Extensions as on the wire, one after the other: most packets are read once, or not at all.
  ByteBuffer extensions = NO_EXTENSIONS;
  int extensionsAt;

  ByteBuffer payload = Payload.EMPTY.buffer();
  int payloadAt;
  int payloadBytes;

  @Nullable String note;

  /** Creates a packet for {@link #read} or a subclass to fill in. */
  Packet() {}

  /**
   * Creates a packet.
   *
   * @param note reason for a NAK or for a retransmission, in words, or null. It is not part of the
   *     packet: captures show it, it reaches the peer only if packets travel as objects, and {@link
   *     #equals} ignores it
   */
  public Packet(
      Route route,
      Bth bth,
      List<ExtensionHeader> extensions,
      Payload payload,
      @Nullable String note) {
    assert haveKinds(extensions, bth.opcode().headers()) : bth + " with " + extensions;
    this.route = route;
    this.note = note;
    codeWord = bth.codeWord();
    qpnWord = bth.qpnWord();
    psnWord = bth.psnWord();
    this.extensions = ByteBuffer.allocate(bth.opcode().extensionBytes());
    for (ExtensionHeader extension : extensions) {
      extension.write(this.extensions, bth.opcode().offsetOf(extension.kind()));
    }
    showPayload(payload.buffer(), payload.offset(), payload.length());
  }

  public Packet(Route route, Bth bth, List<ExtensionHeader> extensions, Payload payload) {
    this(route, bth, extensions, payload, null);
  }

  /**
   * Creates a view of a packet as on the wire, which must be valid.
   *
   * @param length number of bytes from the BTH to the ICRC
   */
  static Packet of(Route route, ByteBuffer bytes, int offset, int length) {
    Packet packet = new Packet();
    packet.read(route, bytes, offset, length);
    return packet;
  }

  /** Turns this object into a view of a packet as on the wire. */
  final void read(Route newRoute, ByteBuffer bytes, int offset, int length) {
    refer(newRoute, null);
    codeWord = Bth.codeWordAt(bytes, offset);
    qpnWord = Bth.qpnWordAt(bytes, offset);
    psnWord = Bth.psnWordAt(bytes, offset);
    showExtensions(bytes, offset + RoceV2.BTH_BYTES);
    int at = offset + opcode().headerBytes();
    int end = offset + length - RoceV2.ICRC_BYTES - Bth.padCountAt(bytes, offset);
    showPayload(bytes, at, end - at);
  }

  @SuppressWarnings("ReferenceEquality") // Not stored if unchanged: with G1 a store costs a fence.
  final void refer(Route newRoute, @Nullable String newNote) {
    if (route != newRoute) {
      route = newRoute;
    }
    note = newNote;
  }

  @SuppressWarnings("ReferenceEquality") // As in refer.
  final void showExtensions(ByteBuffer bytes, int at) {
    if (extensions != bytes) {
      extensions = bytes;
    }
    extensionsAt = at;
  }

  @SuppressWarnings("ReferenceEquality") // As in refer.
  final void showPayload(ByteBuffer bytes, int at, int length) {
    if (payload != bytes) {
      payload = bytes;
    }
    payloadAt = at;
    payloadBytes = length;
  }

  /** Writes everything before the pad; the header contains the pad count. */
  final void write(int padCount, ByteBuffer into, int at) {
    into.putInt(at, codeWord | Bth.padBits(padCount));
    into.putInt(at + Bth.QPN_AT, qpnWord);
    into.putInt(at + Bth.PSN_AT, psnWord);
    copyExtensions(into, at + RoceV2.BTH_BYTES);
    into.put(at + opcode().headerBytes(), payload, payloadAt, payloadBytes);
  }

  /** Copies the extensions. They are short, so a loop is faster than a bulk copy. */
  final void copyExtensions(ByteBuffer into, int at) {
    int bytes = opcode().extensionBytes();
    for (int i = 0; i < bytes; i += Integer.BYTES) {
      into.putInt(at + i, extensions.getInt(extensionsAt + i));
    }
  }

  public final Route route() {
    return route;
  }

  /** BTH, created at each call. */
  public final Bth bth() {
    return Bth.ofWords(codeWord, qpnWord, psnWord);
  }

  public final Opcode opcode() {
    return Bth.opcodeOf(codeWord);
  }

  public final int destQpn() {
    return Bth.numberOf(qpnWord);
  }

  public final int psn() {
    return Bth.numberOf(psnWord);
  }

  public final int pkey() {
    return Bth.pkeyOf(codeWord);
  }

  public final boolean isMigrated() {
    return Bth.isMigrated(codeWord);
  }

  public final boolean isSolicited() {
    return Bth.isSolicited(codeWord);
  }

  public final boolean asksForAck() {
    return Bth.asksForAck(psnWord);
  }

  /** Whether the payload is a view of a buffer. */
  @SuppressWarnings("ReferenceEquality") // Equal bytes elsewhere are other bytes.
  public final boolean isPayloadIn(ByteBuffer buffer) {
    return payload == buffer;
  }

  /** View of the payload, created at each call. */
  public final Payload payload() {
    return new Payload(payload, payloadAt, payloadBytes);
  }

  @Override
  public final int payloadBytes() {
    return payloadBytes;
  }

  public final @Nullable String note() {
    return note;
  }

  /** Extensions, created at each call. */
  public final List<ExtensionHeader> extensions() {
    return opcode().headers().stream().map(this::header).toList();
  }

  private static boolean haveKinds(List<ExtensionHeader> extensions, List<HeaderKind> kinds) {
    return extensions.stream().map(ExtensionHeader::kind).toList().equals(kinds);
  }

  /** Extension of a kind, which the opcode must have; created at each call. */
  public final ExtensionHeader header(HeaderKind kind) {
    return kind.read(extensions, placeOf(kind));
  }

  /** Index of an extension, which the opcode must have. */
  private int placeOf(HeaderKind kind) {
    return extensionsAt + opcode().offsetOf(kind);
  }

  public final Rdeth rdeth() {
    return Rdeth.read(extensions, placeOf(HeaderKind.RDETH));
  }

  public final Deth deth() {
    return Deth.read(extensions, placeOf(HeaderKind.DETH));
  }

  public final XrcEth xrcEth() {
    return XrcEth.read(extensions, placeOf(HeaderKind.XRCETH));
  }

  public final Feth feth() {
    return Feth.read(extensions, placeOf(HeaderKind.FETH));
  }

  public final Reth reth() {
    return Reth.read(extensions, placeOf(HeaderKind.RETH));
  }

  public final AtomicEth atomicEth() {
    return AtomicEth.read(extensions, placeOf(HeaderKind.ATOMIC_ETH));
  }

  public final Aeth aeth() {
    return Aeth.read(extensions, placeOf(HeaderKind.AETH));
  }

  public final AtomicAckEth atomicAckEth() {
    return AtomicAckEth.read(extensions, placeOf(HeaderKind.ATOMIC_ACK_ETH));
  }

  public final ImmDt immDt() {
    return ImmDt.read(extensions, placeOf(HeaderKind.IMM_DT));
  }

  public final Ieth ieth() {
    return Ieth.read(extensions, placeOf(HeaderKind.IETH));
  }

  /** Copy with another BTH, whose opcode has the same extensions. */
  public final Packet with(Bth other) {
    return new Packet(route, other, extensions(), payload(), note);
  }

  /** Copy with another header in place of the one of the same kind. */
  public final Packet with(ExtensionHeader other) {
    List<ExtensionHeader> changedHeaders =
        opcode().headers().stream()
            .map(kind -> kind == other.kind() ? other : header(kind))
            .toList();
    return new Packet(route, bth(), changedHeaders, payload(), note);
  }

  public final Packet withNote(String words) {
    return new Packet(route, bth(), extensions(), payload(), words);
  }

  /** Copy without payload, in memory that no other code can change. */
  public final Packet withoutPayload() {
    return new Packet(route, bth(), extensions(), Payload.EMPTY, note);
  }

  /** Copies the payload to memory that no other code can change. */
  public final void ownPayload() {
    if (payloadBytes > 0) {
      showPayload(payload().copy().buffer(), 0, payloadBytes);
    }
  }

  @Override
  public final Packet copy() {
    return new Packet(route, bth(), extensions(), payload().copy(), note);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof Packet that
        && route.equals(that.route)
        && bth().equals(that.bth())
        && extensions().equals(that.extensions())
        && payload().equals(that.payload());
  }

  @Override
  public final int hashCode() {
    return Objects.hash(route, bth(), extensions(), payload());
  }

  /** Line of a ladder, without the addresses. */
  @Override
  public final String toString() {
    StringBuilder line = new StringBuilder(bth().toString());
    for (ExtensionHeader extension : extensions()) {
      line.append(' ').append(extension);
    }
    if (opcode().payloadRule() != PayloadRule.NONE) {
      line.append(' ').append(payload());
    }
    return line.toString();
  }
}

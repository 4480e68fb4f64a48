// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Packet that is reused for all packets, so that none allocates memory. A reader that gets it as a
 * {@link Packet} must be done with it before the next packet is written. Not thread-safe.
 */
public final class MutablePacket extends Packet {
  /** Length of the longest sequence of extensions: RDETH, DETH and AtomicETH. */
  private static final int MAX_EXTENSION_BYTES = 40;

  private @Nullable ByteBuffer ownExtensions;

  /** Starts a packet without flags, note and payload; its extensions must be added afterwards. */
  public MutablePacket reset(Route newRoute, Opcode opcode, int pkey, int destQpn, int psn) {
    refer(newRoute, null);
    codeWord = Bth.codeWord(opcode, pkey);
    qpnWord = destQpn;
    psnWord = psn;
    useOwnExtensions();
    showPayload(payload, 0, 0);
    return this;
  }

  public MutablePacket migrated(boolean migrated) {
    codeWord |= Bth.migratedBit(migrated);
    return this;
  }

  public MutablePacket solicited(boolean solicited) {
    codeWord |= Bth.solicitedBit(solicited);
    return this;
  }

  public MutablePacket ackRequest(boolean ackRequest) {
    psnWord |= Bth.ackRequestBit(ackRequest);
    return this;
  }

  /** Writes an extension, which the opcode must have. */
  public MutablePacket add(ExtensionHeader header) {
    header.write(extensions, opcode().offsetOf(header.kind()));
    return this;
  }

  /** Writes a RETH without creating an object. */
  public MutablePacket addReth(long virtualAddress, int rkey, long dmaLength) {
    int at = opcode().offsetOf(HeaderKind.RETH);
    Reth.write(extensions, at, virtualAddress, rkey, dmaLength);
    return this;
  }

  /** Sets the payload, as a view. */
  public MutablePacket setPayload(Payload newPayload) {
    return setPayload(newPayload.buffer(), newPayload.offset(), newPayload.length());
  }

  /** Sets the payload, as a view, without creating an object. */
  public MutablePacket setPayload(ByteBuffer buffer, int offset, int length) {
    showPayload(buffer, offset, length);
    return this;
  }

  public MutablePacket annotate(@Nullable String words) {
    refer(route, words);
    return this;
  }

  /** Copies another packet; its payload becomes a view. */
  public MutablePacket copyFrom(Packet other) {
    refer(other.route, other.note);
    codeWord = other.codeWord;
    qpnWord = other.qpnWord;
    psnWord = other.psnWord;
    showPayload(other.payload, other.payloadAt, other.payloadBytes);
    useOwnExtensions();
    other.copyExtensions(ownExtensions, 0);
    return this;
  }

  private void useOwnExtensions() {
    if (ownExtensions == null) {
      ownExtensions = ByteBuffer.allocate(MAX_EXTENSION_BYTES);
    }
    showExtensions(ownExtensions, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A management datagram with a message of the communication manager. */
public record CmMad(MadHeader header, CmMessage message) implements DecodedMad {
  public CmMad {
    assert header.attributeId() == message.kind().attributeId() : header + " " + message.kind();
  }

  /** A message under a transaction ID, without options of enhanced connection establishment. */
  public static CmMad of(long transactionId, CmMessage message) {
    return new CmMad(MadHeader.of(message.kind(), transactionId, 0), message);
  }

  /** What some bytes are; a copy. */
  public static DecodedMad decode(Payload bytes) {
    if (bytes.length() != MadHeader.MAD_BYTES) {
      return MadRefusal.WRONG_LENGTH;
    }
    ByteBuffer mad = bytes.buffer().slice(bytes.offset(), bytes.length());
    MadHeader header = MadHeader.read(mad);
    MadRefusal refusal = refusalOf(header);
    if (refusal != null) {
      return refusal;
    }
    return new CmMad(header, CmKind.ofAttribute(header.attributeId()).read(mad));
  }

  /** Why a MAD with some header is no message; null if it is one. */
  static @Nullable MadRefusal refusalOf(MadHeader header) {
    if (header.baseVersion() != MadHeader.BASE_VERSION) {
      return MadRefusal.UNKNOWN_BASE_VERSION;
    }
    if (header.mgmtClass() != MadHeader.CM_CLASS) {
      return MadRefusal.OTHER_CLASS;
    }
    if (header.classVersion() != MadHeader.CM_CLASS_VERSION) {
      return MadRefusal.UNKNOWN_CLASS_VERSION;
    }
    if (header.method() != MadHeader.SEND) {
      return MadRefusal.UNKNOWN_METHOD;
    }
    return CmKind.ofAttribute(header.attributeId()) == null ? MadRefusal.UNKNOWN_ATTRIBUTE : null;
  }

  /** The {@value MadHeader#MAD_BYTES} bytes, in an array of their own. */
  public byte[] toBytes() {
    ByteBuffer mad = ByteBuffer.allocate(MadHeader.MAD_BYTES);
    header.write(mad);
    message.write(mad);
    return mad.array();
  }

  @Override
  public String toString() {
    return "CM " + message;
  }
}

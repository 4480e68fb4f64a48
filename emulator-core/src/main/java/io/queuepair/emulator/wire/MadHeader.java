// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/**
 * The header of every management datagram (InfiniBand Architecture volume 1, 13.4.2).
 *
 * @param attributeModifier for messages of the communication manager the options of enhanced
 *     connection establishment, mostly 0
 */
public record MadHeader(
    int baseVersion,
    int mgmtClass,
    int classVersion,
    int method,
    int status,
    int classSpecific,
    long transactionId,
    int attributeId,
    int attributeModifier) {

  /** Bytes of the header. */
  public static final int BYTES = 24;

  /** Bytes of a management datagram. */
  public static final int MAD_BYTES = 256;

  public static final int BASE_VERSION = 1;

  /** The class of the communication manager. */
  public static final int CM_CLASS = 0x07;

  public static final int CM_CLASS_VERSION = 2;

  /** The method of all messages of the communication manager: Send(). */
  public static final int SEND = 0x03;

  /** The header of a message of the communication manager. */
  public static MadHeader of(CmKind kind, long transactionId, int attributeModifier) {
    return new MadHeader(
        BASE_VERSION,
        CM_CLASS,
        CM_CLASS_VERSION,
        SEND,
        0,
        0,
        transactionId,
        kind.attributeId(),
        attributeModifier);
  }

  /** The management class of a MAD, of which at least the header is there. */
  public static int mgmtClassOf(Payload mad) {
    int at = mad.offset() + CmField.MAD_MGMT_CLASS.firstByte();
    return Byte.toUnsignedInt(mad.buffer().get(at));
  }

  /** The header of a MAD that begins at index 0. */
  public static MadHeader read(ByteBuffer mad) {
    return new MadHeader(
        CmField.MAD_BASE_VERSION.intIn(mad),
        CmField.MAD_MGMT_CLASS.intIn(mad),
        CmField.MAD_CLASS_VERSION.intIn(mad),
        CmField.MAD_METHOD.intIn(mad),
        CmField.MAD_STATUS.intIn(mad),
        CmField.MAD_CLASS_SPECIFIC.intIn(mad),
        CmField.MAD_TRANSACTION_ID.longIn(mad),
        CmField.MAD_ATTRIBUTE_ID.intIn(mad),
        CmField.MAD_ATTRIBUTE_MODIFIER.intIn(mad));
  }

  /** Writes into a MAD that begins at index 0 and is zero. */
  public void write(ByteBuffer mad) {
    CmField.MAD_BASE_VERSION.put(mad, baseVersion);
    CmField.MAD_MGMT_CLASS.put(mad, mgmtClass);
    CmField.MAD_CLASS_VERSION.put(mad, classVersion);
    CmField.MAD_METHOD.put(mad, method);
    CmField.MAD_STATUS.put(mad, status);
    CmField.MAD_CLASS_SPECIFIC.put(mad, classSpecific);
    CmField.MAD_TRANSACTION_ID.put(mad, transactionId);
    CmField.MAD_ATTRIBUTE_ID.put(mad, attributeId);
    CmField.MAD_ATTRIBUTE_MODIFIER.put(mad, attributeModifier);
  }
}

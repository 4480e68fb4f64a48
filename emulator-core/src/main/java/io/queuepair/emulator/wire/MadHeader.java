// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;

/** Header of a management datagram (IBTA volume 1, 13.4.2), with fields of {@link CmField}. */
public final class MadHeader {
  public static final int BYTES = 24;

  /** Length of a management datagram in bytes. */
  public static final int MAD_BYTES = 256;

  public static final int BASE_VERSION = 1;

  /** Management class of the communication manager. */
  public static final int CM_CLASS = 0x07;

  public static final int CM_CLASS_VERSION = 2;

  /** Method of all messages of the communication manager: Send(). */
  public static final int SEND = 0x03;

  private MadHeader() {}

  /** Management class of a MAD, of which at least the header exists. */
  public static int mgmtClassOf(Payload mad) {
    int at = mad.offset() + CmField.MAD_MGMT_CLASS.firstByte();
    return Byte.toUnsignedInt(mad.buffer().get(at));
  }

  /** Writes the header of a message of the connection manager to a MAD at index 0. */
  public static void write(ByteBuffer mad, CmKind kind, long transactionId) {
    CmField.MAD_BASE_VERSION.put(mad, BASE_VERSION);
    CmField.MAD_MGMT_CLASS.put(mad, CM_CLASS);
    CmField.MAD_CLASS_VERSION.put(mad, CM_CLASS_VERSION);
    CmField.MAD_METHOD.put(mad, SEND);
    CmField.MAD_TRANSACTION_ID.put(mad, transactionId);
    CmField.MAD_ATTRIBUTE_ID.put(mad, kind.attributeId());
  }
}

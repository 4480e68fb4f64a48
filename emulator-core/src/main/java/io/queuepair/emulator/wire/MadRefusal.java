// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reasons why a management datagram is no message of the connection manager. */
enum MadRefusal implements DecodedMad {
  WRONG_LENGTH("A MAD has 256 bytes."),
  UNKNOWN_BASE_VERSION("The base version is not 1."),
  OTHER_CLASS("The management class is not that of the communication manager, 0x07."),
  UNKNOWN_CLASS_VERSION("The class version is not 2."),
  UNKNOWN_METHOD("The method is not Send(), 0x03."),
  UNKNOWN_ATTRIBUTE("The attribute is none of the communication manager, 0x0010 to 0x001a.");

  private final String text;

  MadRefusal(String text) {
    this.text = text;
  }

  /** Reason why a MAD that begins at index 0 is no message; null if it is one. */
  static @Nullable MadRefusal of(ByteBuffer mad) {
    if (CmField.MAD_BASE_VERSION.longIn(mad) != MadHeader.BASE_VERSION) {
      return UNKNOWN_BASE_VERSION;
    }
    if (CmField.MAD_MGMT_CLASS.longIn(mad) != MadHeader.CM_CLASS) {
      return OTHER_CLASS;
    }
    if (CmField.MAD_CLASS_VERSION.longIn(mad) != MadHeader.CM_CLASS_VERSION) {
      return UNKNOWN_CLASS_VERSION;
    }
    if (CmField.MAD_METHOD.longIn(mad) != MadHeader.SEND) {
      return UNKNOWN_METHOD;
    }
    int attributeId = (int) CmField.MAD_ATTRIBUTE_ID.longIn(mad);
    return CmKind.ofAttribute(attributeId) == null ? UNKNOWN_ATTRIBUTE : null;
  }

  /** Reason as one sentence for the user. */
  public String text() {
    return text;
  }
}

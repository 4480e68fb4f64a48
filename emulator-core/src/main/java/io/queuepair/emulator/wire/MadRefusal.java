// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** Why a management datagram is no message of the communication manager. Nothing answers it. */
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

  /** One sentence for people. */
  public String text() {
    return text;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import io.queuepair.emulator.wire.Opcode.Position;

/** Rules for the number of payload bytes of an opcode. */
public enum PayloadRule {
  NONE,
  EXACTLY_MTU,
  UP_TO_MTU_NOT_EMPTY,
  UP_TO_MTU,
  /** Operand of an atomic write. */
  EIGHT;

  /** Whether a payload length is allowed with a path MTU (for UD: the MTU of the port). */
  public boolean allows(int payloadBytes, int mtuBytes) {
    return switch (this) {
      case NONE -> payloadBytes == 0;
      case EXACTLY_MTU -> payloadBytes == mtuBytes;
      case UP_TO_MTU_NOT_EMPTY -> payloadBytes > 0 && payloadBytes <= mtuBytes;
      case UP_TO_MTU -> payloadBytes <= mtuBytes;
      case EIGHT -> payloadBytes == 8;
    };
  }

  /** Rule for a packet at a position, if this is the rule for a message of one packet. */
  PayloadRule at(Position position) {
    if (this != UP_TO_MTU) {
      return this;
    }
    return switch (position) {
      case FIRST, MIDDLE -> EXACTLY_MTU;
      case LAST -> UP_TO_MTU_NOT_EMPTY;
      case ONLY -> UP_TO_MTU;
    };
  }
}

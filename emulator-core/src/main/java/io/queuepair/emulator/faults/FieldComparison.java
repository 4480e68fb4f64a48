// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketField;
import org.jspecify.annotations.Nullable;

/** A condition on a field, such as {@code msn >= 3}; false for packets without the field. */
record FieldComparison(PacketField field, Operator operator, long value) {
  /** How two unsigned numbers are compared. */
  enum Operator {
    EQUAL("="),
    NOT_EQUAL("!="),
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">=");

    private final String symbol;

    Operator(String symbol) {
      this.symbol = symbol;
    }

    static @Nullable Operator of(String symbol) {
      for (Operator operator : values()) {
        if (operator.symbol.equals(symbol)) {
          return operator;
        }
      }
      return null;
    }

    boolean holds(int order) {
      return switch (this) {
        case EQUAL -> order == 0;
        case NOT_EQUAL -> order != 0;
        case LESS -> order < 0;
        case AT_MOST -> order <= 0;
        case GREATER -> order > 0;
        case AT_LEAST -> order >= 0;
      };
    }
  }

  boolean holds(Packet packet) {
    return field.isIn(packet) && operator.holds(Long.compareUnsigned(field.of(packet), value));
  }

  @Override
  public String toString() {
    return field + " " + operator.symbol + " " + Long.toUnsignedString(value);
  }
}

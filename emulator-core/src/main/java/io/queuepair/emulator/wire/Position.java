// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** The place of a packet in its message. What always takes a single packet is {@link #ONLY}. */
public enum Position {
  FIRST(true, false),
  MIDDLE(false, false),
  LAST(false, true),
  ONLY(true, true);

  private final boolean startsMessage;
  private final boolean endsMessage;

  Position(boolean startsMessage, boolean endsMessage) {
    this.startsMessage = startsMessage;
    this.endsMessage = endsMessage;
  }

  public boolean startsMessage() {
    return startsMessage;
  }

  public boolean endsMessage() {
    return endsMessage;
  }

  /** The position of a packet that is, or is not, the first and the last of its message. */
  public static Position of(boolean isFirst, boolean isLast) {
    if (isFirst) {
      return isLast ? ONLY : FIRST;
    }
    return isLast ? LAST : MIDDLE;
  }
}

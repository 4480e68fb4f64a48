// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import org.jspecify.annotations.Nullable;

/** Messages of the communication manager, by the attribute ID of their MAD. */
public enum CmKind {
  REQ(0x10),
  MRA(0x11),
  REJ(0x12),
  REP(0x13),
  RTU(0x14),
  DREQ(0x15),
  DREP(0x16),
  SIDR_REQ(0x17),
  SIDR_REP(0x18),
  LAP(0x19),
  APR(0x1a);

  private static final CmKind[] VALUES = values();

  private final int attributeId;

  CmKind(int attributeId) {
    this.attributeId = attributeId;
  }

  public int attributeId() {
    return attributeId;
  }

  /** Message of an attribute ID; null if there is none. */
  public static @Nullable CmKind ofAttribute(int attributeId) {
    int index = attributeId - REQ.attributeId;
    return index >= 0 && index < VALUES.length ? VALUES[index] : null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

import org.jspecify.annotations.Nullable;

/** Reasons to refuse a request (InfiniBand Architecture, table of NAK codes). */
public enum NakCode {
  PSN_SEQUENCE_ERROR(0),
  INVALID_REQUEST(1),
  REMOTE_ACCESS_ERROR(2),
  REMOTE_OPERATIONAL_ERROR(3),
  INVALID_RD_REQUEST(4);

  private static final NakCode[] VALUES = values();

  private final int code;

  NakCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Syndrome byte of an {@link Aeth} with this code. */
  public int syndrome() {
    return 0x60 | code;
  }

  /** NAK code of a number; null if the number is reserved. */
  static @Nullable NakCode ofCode(int code) {
    return code < VALUES.length ? VALUES[code] : null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Scope within which atomics are atomic ({@code enum ibv_atomic_cap}). */
public enum AtomicCap implements VerbsConstant {
  /** No atomics. */
  NONE(0),

  /** Atomic with respect to all queue pairs of the device. */
  HCA(1),

  /** Atomic with respect to everything in the system. */
  GLOB(2);

  private final int code;

  AtomicCap(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Types of shared receive queues ({@code enum ibv_srq_type}). */
public enum SrqType implements VerbsConstant {
  /** Queue pairs that were created with it. */
  BASIC(0),

  /** XRC peers, by its number. */
  XRC(1),

  /** Peers that match tags; not offered. */
  TM(2);

  private final int code;

  SrqType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Operation of a send work request ({@code enum ibv_wr_opcode}). */
public enum WrOpcode implements VerbsConstant {
  /** Write to remote memory. */
  RDMA_WRITE(0, "rdma-write"),

  /** Write to remote memory and consume a receive with immediate data. */
  RDMA_WRITE_WITH_IMM(1, "rdma-write-with-imm"),

  /** Send to a posted receive. */
  SEND(2, "send"),

  /** Send with immediate data. */
  SEND_WITH_IMM(3, "send-with-imm"),

  /** Read remote memory. */
  RDMA_READ(4, "rdma-read"),

  /** 64-bit atomic compare and swap. */
  ATOMIC_CMP_AND_SWP(5, "atomic-cmp-and-swp"),

  /** 64-bit atomic fetch and add. */
  ATOMIC_FETCH_AND_ADD(6, "atomic-fetch-and-add"),

  /** Invalidate a local key. */
  LOCAL_INV(7, "local-inv"),

  /** Bind a type 2 memory window. */
  BIND_MW(8, "bind-mw"),

  /** Send and invalidate a remote key. */
  SEND_WITH_INV(9, "send-with-inv"),

  /** Send split into segments by the device. */
  TSO(10, "tso"),

  /** Vendor specific. */
  DRIVER1(11, "driver1"),

  /** Make remote writes visible or persistent. */
  FLUSH(14, "flush"),

  /** 64-bit atomic write. */
  ATOMIC_WRITE(15, "atomic-write");

  private final int code;
  private final String text;

  WrOpcode(int code, String text) {
    this.code = code;
    this.text = text;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return the text of {@code ibv_wr_opcode_str}} */
  @Verb("ibv_wr_opcode_str")
  public String text() {
    return text;
  }
}

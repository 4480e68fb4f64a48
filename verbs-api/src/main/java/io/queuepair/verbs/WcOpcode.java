// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Kind of work that completed ({@code enum ibv_wc_opcode}). */
public enum WcOpcode implements VerbsConstant {
  /** A SEND of any kind. */
  SEND(0),

  /** An RDMA WRITE, with or without immediate. */
  RDMA_WRITE(1),

  /** An RDMA READ. */
  RDMA_READ(2),

  /** An atomic compare and swap. */
  COMP_SWAP(3),

  /** An atomic fetch and add. */
  FETCH_ADD(4),

  /** A memory window bind. */
  BIND_MW(5),

  /** A local invalidate. */
  LOCAL_INV(6),

  /** A segmented send. */
  TSO(7),

  /** An RDMA FLUSH. */
  FLUSH(8),

  /** An atomic write. */
  ATOMIC_WRITE(9),

  /** A receive filled by a SEND. */
  RECV(128),

  /** A receive consumed by an RDMA WRITE with immediate. */
  RECV_RDMA_WITH_IMM(129),

  /** Tag matching: tag added. */
  TM_ADD(130),

  /** Tag matching: tag removed. */
  TM_DEL(131),

  /** Tag matching: synchronised. */
  TM_SYNC(132),

  /** Tag matching: tagged message received. */
  TM_RECV(133),

  /** Tag matching: message without tag received. */
  TM_NO_TAG(134),

  /** Vendor specific. */
  DRIVER1(135),

  /** Vendor specific. */
  DRIVER2(136),

  /** Vendor specific. */
  DRIVER3(137);

  private final int code;

  WcOpcode(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

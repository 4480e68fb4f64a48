// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** An operation that extended posting shall have ({@code enum ibv_qp_create_send_ops_flags}). */
public enum SendOpsFlag implements VerbsConstant {
  /** {@link WrBatch#rdmaWrite}. */
  WITH_RDMA_WRITE(1 << 0),

  /** {@link WrBatch#rdmaWriteImm}. */
  WITH_RDMA_WRITE_WITH_IMM(1 << 1),

  /** {@link WrBatch#send}. */
  WITH_SEND(1 << 2),

  /** {@link WrBatch#sendImm}. */
  WITH_SEND_WITH_IMM(1 << 3),

  /** {@link WrBatch#rdmaRead}. */
  WITH_RDMA_READ(1 << 4),

  /** {@link WrBatch#atomicCmpSwp}. */
  WITH_ATOMIC_CMP_AND_SWP(1 << 5),

  /** {@link WrBatch#atomicFetchAdd}. */
  WITH_ATOMIC_FETCH_AND_ADD(1 << 6),

  /** {@link WrBatch#localInv}. */
  WITH_LOCAL_INV(1 << 7),

  /** {@link WrBatch#bindMw}. */
  WITH_BIND_MW(1 << 8),

  /** {@link WrBatch#sendInv}. */
  WITH_SEND_WITH_INV(1 << 9),

  /** {@link WrBatch#sendTso}. */
  WITH_TSO(1 << 10),

  /** {@link WrBatch#flush}. */
  WITH_FLUSH(1 << 11),

  /** {@link WrBatch#atomicWrite}. */
  WITH_ATOMIC_WRITE(1 << 12);

  private final int code;

  SendOpsFlag(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

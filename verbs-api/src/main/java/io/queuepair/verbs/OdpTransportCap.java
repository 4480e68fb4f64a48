// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** An operation that can use on-demand paging ({@code enum ibv_odp_transport_cap_bits}). */
public enum OdpTransportCap implements VerbsConstant {
  /** Sending. */
  SEND(1),

  /** Receiving. */
  RECV(2),

  /** RDMA WRITE. */
  WRITE(4),

  /** RDMA READ. */
  READ(8),

  /** Atomics. */
  ATOMIC(16),

  /** Receiving to a shared receive queue. */
  SRQ_RECV(32),

  /** FLUSH. */
  FLUSH(64),

  /** ATOMIC WRITE. */
  ATOMIC_WRITE(128);

  private final int code;

  OdpTransportCap(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/** What a packet does, whatever its service and its place in a message. */
public enum Operation {
  SEND,
  RDMA_WRITE,
  RDMA_READ_REQUEST,
  RDMA_READ_RESPONSE,
  ACKNOWLEDGE,
  ATOMIC_ACKNOWLEDGE,
  COMPARE_SWAP,
  FETCH_ADD,
  FLUSH,
  ATOMIC_WRITE,
  RESYNC,
  CONGESTION_NOTIFICATION;

  /** Whether such packets travel from responder to requester. */
  public boolean isResponse() {
    return switch (this) {
      case RDMA_READ_RESPONSE, ACKNOWLEDGE, ATOMIC_ACKNOWLEDGE -> true;
      case SEND,
          RDMA_WRITE,
          RDMA_READ_REQUEST,
          COMPARE_SWAP,
          FETCH_ADD,
          FLUSH,
          ATOMIC_WRITE,
          RESYNC,
          CONGESTION_NOTIFICATION ->
          false;
    };
  }
}

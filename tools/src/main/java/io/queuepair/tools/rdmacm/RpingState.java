// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

/** States of rping, in the order of the original program, which prints their numbers. */
enum RpingState {
  IDLE,
  CONNECT_REQUEST,
  ADDR_RESOLVED,
  ROUTE_RESOLVED,
  CONNECTED,
  RDMA_READ_ADV,
  RDMA_READ_COMPLETE,
  RDMA_WRITE_ADV,
  RDMA_WRITE_COMPLETE,
  DISCONNECTED,
  ERROR;

  /** Number that the original program prints. */
  int code() {
    return ordinal() + 1;
  }
}

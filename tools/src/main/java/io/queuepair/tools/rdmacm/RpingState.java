// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

/** What rping waits for, in the order of the original, which prints the numbers. */
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

  /** The number that the original prints. */
  int code() {
    return ordinal() + 1;
  }
}

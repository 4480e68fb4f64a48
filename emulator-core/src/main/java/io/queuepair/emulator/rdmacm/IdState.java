// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

/** States of an id ({@code enum rdma_cm_state}). */
enum IdState {
  IDLE(0, "it is bound to nothing"),
  ADDR_BOUND(7, "it is bound"),
  ADDR_QUERY(1, "it waits for the address of the peer to be resolved"),
  ADDR_RESOLVED(2, "its address is resolved"),
  ROUTE_RESOLVED(4, "its route is resolved"),
  LISTEN(8, "it listens"),
  CONNECT(5, "it is connected, or connects"),
  DISCONNECT(6, "its connection has ended"),
  DEVICE_REMOVAL(9, "its device is gone"),
  DESTROYED(10, "it was destroyed");

  private final int number;
  private final String text;

  IdState(int number, String text) {
    this.number = number;
    this.text = text;
  }

  /** Number of the state in {@code enum rdma_cm_state}. */
  int number() {
    return number;
  }

  /** Meaning of the state for refusals, as the end of a sentence. */
  String text() {
    return text;
  }
}

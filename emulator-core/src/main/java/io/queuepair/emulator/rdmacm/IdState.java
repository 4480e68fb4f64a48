// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

/** How far an id has come ({@code enum rdma_cm_state}). */
enum IdState {
  IDLE("it is bound to nothing"),
  ADDR_BOUND("it is bound"),
  ADDR_QUERY("it waits for the address of the peer to be resolved"),
  ADDR_RESOLVED("its address is resolved"),
  ROUTE_RESOLVED("its route is resolved"),
  LISTEN("it listens"),
  CONNECT("it is connected, or connects"),
  DISCONNECT("its connection has ended"),
  DEVICE_REMOVAL("its device is gone"),
  DESTROYED("it was destroyed");

  private final String text;

  IdState(String text) {
    this.text = text;
  }

  /** Meaning of the state for refusals, as the end of a sentence. */
  String text() {
    return text;
  }
}

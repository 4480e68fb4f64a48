// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.VerbsConstant;

/** Which ports an id uses, and with it which service ({@code enum rdma_port_space}). */
public enum RdmaPortSpace implements VerbsConstant {
  /** Datagrams that can be exchanged with IP over InfiniBand, and its multicast groups. */
  IPOIB(0x0002),

  /** Reliable connections. */
  TCP(0x0106),

  /** Unreliable datagrams. */
  UDP(0x0111),

  /** Any service: connections and datagrams. */
  IB(0x013f);

  private final int code;

  RdmaPortSpace(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  /** {@return whether its ids exchange datagrams instead of connecting} */
  public boolean isDatagram() {
    return this == IPOIB || this == UDP;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** Transport service of a queue pair ({@code enum ibv_qp_type}). */
public enum QpType implements VerbsConstant {
  /** Reliable connection: acknowledged, in order, exactly once. */
  RC(2),

  /** Unreliable connection: connected, not acknowledged. */
  UC(3),

  /** Unreliable datagram: one packet a message, any peer. */
  UD(4),

  /** Raw Ethernet packets. */
  RAW_PACKET(8),

  /** Initiator side of an extended reliable connection. */
  XRC_SEND(9),

  /** Target side of an extended reliable connection. */
  XRC_RECV(10),

  /** Vendor specific. */
  DRIVER(255);

  private final int code;

  QpType(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }

  /**
   * Whether a C bit mask of types holds this one; here such masks are sets.
   *
   * @param caps a mask whose bit numbers are codes, such as {@code supported_qpts}
   * @return true if the bit is set
   */
  @Verb("ibv_is_qpt_supported")
  public boolean isSupported(int caps) {
    return code < Integer.SIZE && (caps & 1 << code) != 0;
  }
}

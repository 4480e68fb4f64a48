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
}

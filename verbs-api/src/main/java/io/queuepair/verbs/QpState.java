// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/** State of a queue pair ({@code enum ibv_qp_state}). */
public enum QpState implements VerbsConstant {
  /** Created or reset: both queues are empty, nothing may be posted, packets are dropped. */
  RESET(0),

  /** Receives may be posted; nothing is processed and packets are dropped. */
  INIT(1),

  /** Ready to receive: incoming requests are processed and answered; sends may not be posted. */
  RTR(2),

  /** Ready to send: fully operational. */
  RTS(3),

  /** Send queue drained or draining: started sends finish, new ones wait. */
  SQD(4),

  /** Send queue error (UC, UD, RAW_PACKET): sends are flushed, receiving continues. */
  SQE(5),

  /** Error: everything in both queues is flushed, packets are dropped. */
  ERR(6),

  /** Known to the library only; no device is ever in it. */
  UNKNOWN(7);

  private final int code;

  QpState(int code) {
    this.code = code;
  }

  @Override
  public int code() {
    return code;
  }
}

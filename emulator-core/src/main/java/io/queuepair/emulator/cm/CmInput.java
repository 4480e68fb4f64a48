// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/** Inputs of one end of a connection: a message, a call of the layer above, or the time. */
public enum CmInput {
  /** The first REQ, or the same again. */
  REQ(InputKind.MESSAGE),
  /** A REQ of another connection from the queue pair that the peer has connected here. */
  STALE_REQ(InputKind.MESSAGE),
  /** A REP of another connection from the queue pair that the peer has connected here. */
  STALE_REP(InputKind.MESSAGE),
  MRA_OF_REQ(InputKind.MESSAGE),
  MRA_OF_REP(InputKind.MESSAGE),
  REJ(InputKind.MESSAGE),
  /** A REJ for the reason that the connection is stale. */
  REJ_STALE(InputKind.MESSAGE),
  REP(InputKind.MESSAGE),
  RTU(InputKind.MESSAGE),
  DREQ(InputKind.MESSAGE),
  DREP(InputKind.MESSAGE),
  SIDR_REQ(InputKind.MESSAGE),
  SIDR_REP(InputKind.MESSAGE),

  SEND_REQ(InputKind.CALL),
  SEND_REP(InputKind.CALL),
  SEND_RTU(InputKind.CALL),
  SEND_REJ(InputKind.CALL),
  SEND_DREQ(InputKind.CALL),
  SEND_DREP(InputKind.CALL),
  SEND_SIDR_REQ(InputKind.CALL),
  SEND_SIDR_REP(InputKind.CALL),
  /** The program has got the event of the request or reply, and may take its time. */
  PREPARE_MRA(InputKind.CALL),
  /** Data has come before the RTU. */
  NOTIFY(InputKind.CALL),
  DESTROY(InputKind.CALL),

  /** No answer in time, and retries are left. */
  NO_ANSWER(InputKind.TIME),
  RETRIES_EXHAUSTED(InputKind.TIME),
  /** A state that ends by itself has lasted long enough. */
  TIME_OVER(InputKind.TIME),
  /** Too many ends wait for peers, and this is the one that waits longest. */
  DISPLACED(InputKind.TIME);

  private final InputKind kind;

  CmInput(InputKind kind) {
    this.kind = kind;
  }

  /** Kind of the input. */
  public InputKind kind() {
    return kind;
  }

  /** Where an input comes from, which says what it means that a state has no place for it. */
  public enum InputKind {
    /** Ignored. */
    MESSAGE,
    /** Refused. */
    CALL,
    /** Does not happen. */
    TIME
  }
}

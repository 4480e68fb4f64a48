// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/** Inputs of an id: a message, a call of the layer above, or the time. */
public enum CmInput {
  /** The first REQ or a repetition of it. */
  REQ(InputKind.MESSAGE),
  /** A REQ for another connection from a queue pair that is connected to this id. */
  STALE_REQ(InputKind.MESSAGE),
  /** A REP for another connection from a queue pair that is connected to this id. */
  STALE_REP(InputKind.MESSAGE),
  MRA_OF_REQ(InputKind.MESSAGE),
  MRA_OF_REP(InputKind.MESSAGE),
  REJ(InputKind.MESSAGE),
  /** A REJ for reason Stale Connection. */
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
  /** Call that prepares an MRA, as the program has the event and may take its time. */
  PREPARE_MRA(InputKind.CALL),
  /** Call that reports data before the RTU. */
  NOTIFY(InputKind.CALL),
  DESTROY(InputKind.CALL),

  /** No answer came in time, and retries are left. */
  NO_ANSWER(InputKind.TIME),
  RETRIES_EXHAUSTED(InputKind.TIME),
  /** A state that ends by itself has lasted long enough. */
  TIME_OVER(InputKind.TIME),
  /** Too many ids are timed by their peers, and this is the oldest. */
  DISPLACED(InputKind.TIME);

  private final InputKind kind;

  CmInput(InputKind kind) {
    this.kind = kind;
  }

  public InputKind kind() {
    return kind;
  }

  /** Origin of an input, which decides what happens if a state has no transition for the input. */
  public enum InputKind {
    /** Ignored without a transition. */
    MESSAGE,
    /** Refused without a transition. */
    CALL,
    /** Never without a transition. */
    TIME
  }
}

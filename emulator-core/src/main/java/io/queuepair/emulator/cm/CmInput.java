// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/** Inputs of an id: a message, a call of the layer above, or the time. */
public enum CmInput {
  /** The first REQ or a repetition of it. */
  REQ,
  /** A REQ for another connection from a queue pair that is connected to this id. */
  STALE_REQ,
  /** A REP for another connection from a queue pair that is connected to this id. */
  STALE_REP,
  MRA_OF_REQ,
  MRA_OF_REP,
  REJ,
  /** A REJ for reason Stale Connection. */
  REJ_STALE,
  REP,
  RTU,
  DREQ,
  DREP,
  SIDR_REQ,
  SIDR_REP,

  SEND_REQ,
  SEND_REP,
  SEND_RTU,
  SEND_REJ,
  SEND_DREQ,
  SEND_DREP,
  SEND_SIDR_REQ,
  SEND_SIDR_REP,
  /** Call that prepares an MRA, as the program has the event and may take its time. */
  PREPARE_MRA,
  /** Call that reports data before the RTU. */
  NOTIFY,
  DESTROY,

  /** No answer came in time, and retries are left. */
  NO_ANSWER,
  RETRIES_EXHAUSTED,
  /** A state that ends by itself has lasted long enough. */
  TIME_OVER,
  /** Too many ids are timed by their peers, and this is the oldest. */
  DISPLACED
}

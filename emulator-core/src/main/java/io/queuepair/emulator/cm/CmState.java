// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/**
 * States of one end of a connection or of a service ID resolution ({@code enum ib_cm_state}). A
 * listener has no such state. The two states that Linux does not have, REJ_SENT and SIDR_REP_SENT,
 * remember an answer, so that a lost one is sent again without asking the program twice.
 */
public enum CmState {
  IDLE("nothing was begun, or it has ended"),
  REQ_SENT("a REP, a REJ or an MRA"),
  REQ_RCVD("the program to accept or reject"),
  MRA_REQ_SENT("the program to accept or reject"),
  MRA_REQ_RCVD("a REP or a REJ; an MRA has come"),
  REP_SENT("an RTU, or data"),
  REP_RCVD("the program to establish the connection"),
  MRA_REP_SENT("the program to establish the connection"),
  MRA_REP_RCVD("an RTU, or data; an MRA has come"),
  ESTABLISHED("one side to disconnect"),
  DREQ_SENT("a DREP"),
  DREQ_RCVD("the program to disconnect, too"),
  TIMEWAIT("late packets of the connection to die out"),
  REJ_SENT("the peer to repeat its REQ, should the REJ be lost"),
  SIDR_REQ_SENT("a SIDR_REP"),
  SIDR_REQ_RCVD("the program to accept or reject"),
  SIDR_REP_SENT("the peer to repeat its SIDR_REQ, should the SIDR_REP be lost");

  private final String waitsFor;

  CmState(String waitsFor) {
    this.waitsFor = waitsFor;
  }

  /** Description of what ends the state, in words. */
  public String waitsFor() {
    return waitsFor;
  }

  /** Whether a message was sent that is repeated until it is answered. */
  public boolean awaitsAnswer() {
    return switch (this) {
      case REQ_SENT, MRA_REQ_RCVD, REP_SENT, MRA_REP_RCVD, DREQ_SENT, SIDR_REQ_SENT -> true;
      case IDLE,
          REQ_RCVD,
          MRA_REQ_SENT,
          REP_RCVD,
          MRA_REP_SENT,
          ESTABLISHED,
          DREQ_RCVD,
          TIMEWAIT,
          REJ_SENT,
          SIDR_REQ_RCVD,
          SIDR_REP_SENT ->
          false;
    };
  }

  /** Whether the state ends by itself after some time. */
  public boolean isTimed() {
    return this == TIMEWAIT || isAnswered();
  }

  /** Whether the state lasts as long as the peer has said, unless the peer answers earlier. */
  boolean isTimedByPeer() {
    return this == REP_SENT || this == MRA_REP_RCVD || this == DREQ_SENT || this == TIMEWAIT;
  }

  /** Whether an answer was sent that is remembered for a while. */
  public boolean isAnswered() {
    return this == REJ_SENT || this == SIDR_REP_SENT;
  }

  /** Whether a connection exists or is being set up: only then is its queue pair used. */
  public boolean isConnection() {
    return switch (this) {
      case REQ_SENT,
          REQ_RCVD,
          MRA_REQ_SENT,
          MRA_REQ_RCVD,
          REP_SENT,
          REP_RCVD,
          MRA_REP_SENT,
          MRA_REP_RCVD,
          ESTABLISHED ->
          true;
      case IDLE,
          DREQ_SENT,
          DREQ_RCVD,
          TIMEWAIT,
          REJ_SENT,
          SIDR_REQ_SENT,
          SIDR_REQ_RCVD,
          SIDR_REP_SENT ->
          false;
    };
  }

  /** Whether a REQ or SIDR_REQ was received that the program has not answered. */
  public boolean isPending() {
    return this == REQ_RCVD || this == MRA_REQ_SENT || this == SIDR_REQ_RCVD;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

/** Actions that a transition takes besides entering the next state. */
public enum CmAction {
  SEND("sends the message of the call"),
  SEND_AND_WAIT("sends the message of the call, and again until it is answered"),
  SEND_AGAIN("sends its message again"),
  EXTEND_WAIT("waits for as long as the MRA says"),
  SEND_MRA("sends an MRA"),
  SEND_RTU("sends the RTU"),
  SEND_DREQ("sends a DREQ, and again until it is answered"),
  SEND_DREP("sends a DREP"),
  SEND_REJ_TIMEOUT("sends a REJ for timeout"),
  SEND_REJ_CONSUMER("sends a REJ by the consumer"),
  SEND_REJ_STALE("answers the new message with a REJ for a stale connection"),
  SEND_SIDR_REJECT("sends a SIDR_REP that rejects"),
  LEARN_PEER("takes over ids and queue pair of the peer");

  private final String text;

  CmAction(String text) {
    this.text = text;
  }

  /** Description of the action, as part of a sentence. */
  public String text() {
    return text;
  }
}

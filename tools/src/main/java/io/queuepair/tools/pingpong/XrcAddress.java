// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.Gid;
import java.util.List;

/**
 * Address of one side of an extended reliable connection, sent over TCP as the text {@code
 * LID:TARGET:INITIATOR:PSN:SRQN:GID}.
 *
 * @param initiator address of the queue pair that sends
 * @param targetQpn number of the queue pair that receives
 * @param srqn number of the shared receive queue
 */
record XrcAddress(PeerAddress initiator, int targetQpn, int srqn) {
  /** Length of the text, 65 characters, plus the NUL. */
  static final int MESSAGE_BYTES = 66;

  private static final int NUMBERS = 4;

  /** Address of the queue pair that receives. */
  PeerAddress target() {
    return new PeerAddress(initiator.lid(), targetQpn, initiator.psn(), initiator.gid());
  }

  byte[] toMessage() {
    List<Integer> numbers = List.of(targetQpn, initiator.qpn(), initiator.psn(), srqn);
    return new AddressText(initiator.lid(), numbers, initiator.gid()).toMessage();
  }

  /** Parses the address that a peer sent. */
  static XrcAddress ofMessage(byte[] message) {
    AddressText text = AddressText.ofMessage(message, NUMBERS, "LID:QPN:QPN:PSN:SRQN:GID");
    List<Integer> numbers = text.numbers();
    Gid gid = text.gid();
    PeerAddress initiator = new PeerAddress(text.lid(), numbers.get(1), numbers.get(2), gid);
    XrcAddress peer = new XrcAddress(initiator.checked(), numbers.get(0), numbers.get(3));
    peer.target().checked();
    if (peer.srqn == 0) {
      throw new CommandFailure("Couldn't use remote address: SRQN 0 is no program's");
    }
    return peer;
  }

  @Override
  public String toString() {
    return String.format(
        "LID %04x, QPN RECV %06x SEND %06x, PSN %06x, SRQN %06x, GID %s",
        initiator.lid(),
        targetQpn,
        initiator.qpn(),
        initiator.psn(),
        srqn,
        GidText.of(initiator.gid()));
  }
}

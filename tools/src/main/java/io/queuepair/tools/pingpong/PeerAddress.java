// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.Gid;
import java.util.List;

/** Address of one side, sent over TCP as the text {@code LID:QPN:PSN:GID}. */
record PeerAddress(int lid, int qpn, int psn, Gid gid) {
  /** Length of the text, 51 characters, plus the NUL. */
  static final int MESSAGE_BYTES = 52;

  /** Lowest queue pair number of a program: 0 and 1 are for management. */
  private static final int FIRST_QPN = 2;

  byte[] toMessage() {
    return new AddressText(lid, List.of(qpn, psn), gid).toMessage();
  }

  /** Parses the address that a peer sent, and refuses one that no RoCE device has. */
  static PeerAddress ofMessage(byte[] message) {
    AddressText text = AddressText.ofMessage(message, 2, "LID:QPN:PSN:GID");
    return new PeerAddress(text.lid(), text.numbers().get(0), text.numbers().get(1), text.gid())
        .checked();
  }

  /** Returns the address, or throws if no program on RoCE can have it. */
  PeerAddress checked() {
    if (qpn < FIRST_QPN) {
      throw new CommandFailure("Couldn't use remote address: QPN " + qpn + " is no program's");
    }
    if (gid.isZero()) {
      throw new CommandFailure(
          "Couldn't use remote address: it has no GID, which RoCE needs; start the peer with -g");
    }
    return this;
  }

  @Override
  public String toString() {
    return String.format(
        "LID 0x%04x, QPN 0x%06x, PSN 0x%06x, GID %s", lid, qpn, psn, GidText.of(gid));
  }
}

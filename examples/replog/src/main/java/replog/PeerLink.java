// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.rdmacm.RdmaCmId;

/** A connection. Guarded by the lock of the node. */
final class PeerLink {
  enum State {
    CONNECTING,
    UP,
    DOWN
  }

  final RdmaCmId cmId;

  /** To whom this node has connected; null if a peer has connected to this node. */
  final Peer peer;

  State state = State.CONNECTING;

  /** Sends that are not completed: until they are, their buffers belong to the device. */
  int outstanding;

  int outstandingMessages;

  /** Numbers of the last messages. */
  int sent;

  int received;

  /** Since when it is down. */
  long downNanos;

  PeerLink(RdmaCmId cmId, Peer peer) {
    this.cmId = cmId;
    this.peer = peer;
  }
}

// SPDX-License-Identifier: Apache-2.0
package replog;

import io.queuepair.verbs.MemoryRegion;
import java.net.InetSocketAddress;

/** Another node, and what this one has written to its log. Guarded by the lock of the node. */
final class Peer {
  final int id;
  final InetSocketAddress address;

  /** Where COMPARE_SWAP leaves the lease that was there. */
  final MemoryRegion scratch;

  /** The connection to it, or null. */
  PeerLink link;

  /** Its log and its lease; an rkey of 0 is none. */
  long logAddr;

  int logRkey;
  long leaseAddr;
  int leaseRkey;

  /** Time of its last acknowledgement, nanoseconds. */
  long heardNanos;

  /** Whether this node has the lease of its term there, without which it writes nothing. */
  boolean isLeased;

  boolean isLeasing;
  long leaseSeen;

  /** The next entry to write, and the last one that is there. */
  long nextIndex;

  long writtenIndex = -1;

  Peer(int id, InetSocketAddress address, MemoryRegion scratch) {
    this.id = id;
    this.address = address;
    this.scratch = scratch;
  }

  boolean isUp() {
    return link != null && link.state == PeerLink.State.UP;
  }

  /** Begins from nothing: in another term, or on another connection. */
  void forgetLog() {
    logRkey = 0;
    isLeased = false;
    isLeasing = false;
    nextIndex = 0;
    writtenIndex = -1;
  }
}

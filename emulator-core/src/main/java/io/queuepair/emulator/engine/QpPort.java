// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.QpType;
import java.net.InetAddress;

/** The port of a queue pair. Its properties may change at any time. */
public interface QpPort {
  /** Payload bytes of the largest packet, or frame, that a type can send at the moment. */
  int mtuBytes(QpType type);

  /** The P_Key in a slot of its table, unsigned 16-bit; 0, which matches none, in an empty one. */
  int pkey(int index);

  /** What may be on its way to a peer: bytes, with what the network needs to hold them. */
  default long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return Long.MAX_VALUE;
  }

  /** Whether packets to an address arrive here: it has the address or, for a group, joins it. */
  boolean isFor(InetAddress address);
}

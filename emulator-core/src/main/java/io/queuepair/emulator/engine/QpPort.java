// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.verbs.QpType;
import java.net.InetAddress;

/** Port of a queue pair. Its properties may change at any time. */
public interface QpPort {
  /** Maximum payload bytes of a packet or frame of a queue pair type, at present. */
  int mtuBytes(QpType type);

  /** P_Key at an index of the port's table, unsigned 16-bit; 0 for an empty entry. */
  int pkey(int index);

  /** Bytes, network overhead included, that may be in flight to a peer before loss is likely. */
  default long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return Long.MAX_VALUE;
  }

  /** Whether packets to an address arrive at the port: its own, or a group that it joined. */
  boolean isFor(InetAddress address);
}

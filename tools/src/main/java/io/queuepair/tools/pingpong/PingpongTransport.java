// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.function.Supplier;

/** A transport service: what its queue pairs need on their way to RTS, and what its messages do. */
sealed interface PingpongTransport permits ReliableConnection, UnreliableConnection, Datagram {
  QpType qpType();

  /**
   * Refuses what the port cannot carry.
   *
   * @throws io.queuepair.tools.cli.CommandFailure if a message or packet is too long for the port
   */
  void check(int sizeBytes, int activeMtuBytes);

  /** What is in front of a message where it is received. */
  default int headroomBytes() {
    return 0;
  }

  QpAttr init();

  QpAttr rtr(PeerAddress peer, AhAttr path);

  QpAttr rts(int psn);

  /** How long a side that is done stays, to acknowledge what its peer sends again. */
  default Duration linger() {
    return Duration.ZERO;
  }

  /** The request as the service wants it posted. */
  default SendWr addressed(SendWr request, PeerAddress peer, Supplier<AddressHandle> handle) {
    return request;
  }
}

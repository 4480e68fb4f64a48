// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.Mtu;
import java.util.List;

/** What happens between the messages over TCP. */
interface TestTraffic {
  /** The path MTU that this side offers. */
  Mtu mtu();

  /** Makes the queue pairs, which the connection manager connects at the same time. */
  List<PeerQp> open(NegotiatedParameters parameters);

  /** Connects them to those of the peer. */
  void connect(List<PeerQp> own, List<PeerQp> peers);

  /** Makes ready to receive messages of a size. */
  void prepare(int size);

  /** Sends, receives, or both, and measures. */
  Result run(int size);
}

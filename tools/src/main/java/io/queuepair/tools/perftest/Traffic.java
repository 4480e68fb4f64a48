package io.queuepair.tools.perftest;

import io.queuepair.verbs.Mtu;
import java.util.List;

/** What happens between the messages over TCP. */
interface Traffic {
  /** The path MTU that this side offers. */
  Mtu mtu();

  /** Makes the queue pairs. */
  List<Destination> open(Agreement agreement);

  /** Connects them to those of the peer. */
  void connect(List<Destination> peers);

  /** Makes ready to receive messages of a size. */
  void prepare(int size);

  /** Sends, receives, or both, and measures. */
  Result run(int size);
}

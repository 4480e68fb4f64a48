package io.queuepair.emulator.faults;

import java.net.InetAddress;
import java.util.List;

/** A statement about packets. */
sealed interface PacketStatement extends Statement permits PacketFault, Partition, Pause {
  /** What is done. */
  Effect effect();

  /** Whether a packet is one of those that are counted. */
  boolean matches(Passing passing);

  /** How many of those that are counted are meant. */
  default Amount amount() {
    return new Amount.All();
  }

  /** The hosts that it names. */
  List<InetAddress> hosts();

  /** How late a packet may arrive because of it. */
  default long longestDelayNanos() {
    return 0;
  }
}

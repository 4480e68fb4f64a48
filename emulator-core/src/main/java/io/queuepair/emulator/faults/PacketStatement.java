package io.queuepair.emulator.faults;

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

  /** How late a packet may arrive because of it. */
  default long longestDelayNanos() {
    return 0;
  }
}

package io.queuepair.emulator.faults;

/** One statement of a {@link FaultPlan}; {@code toString} gives it in the language of plans. */
sealed interface Statement permits PacketFault {
  /** How late a packet may arrive because of it. */
  long longestDelayNanos();
}

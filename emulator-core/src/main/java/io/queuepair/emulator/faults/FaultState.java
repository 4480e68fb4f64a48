// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The counters and random numbers of a {@link PacketStatement}. */
final class FaultState {
  private final PacketStatement statement;
  private final SplittableRandom random;
  private final long originNanos;
  private long matched;
  private long applied;

  /**
   * Starts with all counters at 0.
   *
   * @param originNanos when its plan began, by the time of the network
   */
  FaultState(PacketStatement statement, SplittableRandom random, long originNanos) {
    this.statement = statement;
    this.random = random;
    this.originNanos = originNanos;
  }

  /** Counts the next packet of the network if it matches; returns the fault to apply, or null. */
  FaultDecision.@Nullable AppliedFault look(PacketContext packetContext) {
    packetContext.lookedAtSince(originNanos);
    if (!statement.matches(packetContext)) {
      return null;
    }
    matched++;
    if (!statement.matchCount().takes(matched, random)) {
      return null;
    }
    applied++;
    return new FaultDecision.AppliedFault(
        statement.effect(), note(), random.nextLong(), packetContext.nanos());
  }

  /** Whether the statement is about packets, not about hosts. */
  boolean isRule() {
    return statement instanceof PacketFault;
  }

  long applied() {
    return applied;
  }

  private String note() {
    return statement.effect().done() + ": " + statement;
  }

  @Override
  public String toString() {
    return statement.toString();
  }
}

package io.queuepair.emulator.faults;

import java.util.SplittableRandom;

/** A {@link PacketStatement} at work: what it has counted, and its own random numbers. */
final class ActiveFault {
  private final PacketStatement fault;
  private final SplittableRandom random;
  private final long originNanos;
  private long matched;
  private long taken;

  /**
   * Nothing is counted yet.
   *
   * @param originNanos when its plan began, by the time of the network
   */
  ActiveFault(PacketStatement fault, SplittableRandom random, long originNanos) {
    this.fault = fault;
    this.random = random;
    this.originNanos = originNanos;
  }

  /** Looks at the next packet of the network; null if nothing is done to it. */
  Fate.Taken look(Passing passing) {
    passing.lookedAtSince(originNanos);
    if (!fault.matches(passing)) {
      return null;
    }
    matched++;
    if (!fault.amount().takes(matched, random)) {
      return null;
    }
    taken++;
    return new Fate.Taken(fault.effect(), note(), random.nextLong(), passing.nanos());
  }

  /** Whether it is about packets, and not about hosts. */
  boolean isRule() {
    return fault instanceof PacketFault;
  }

  long taken() {
    return taken;
  }

  private String note() {
    return fault.effect().done() + ": " + fault;
  }

  @Override
  public String toString() {
    return fault.toString();
  }
}

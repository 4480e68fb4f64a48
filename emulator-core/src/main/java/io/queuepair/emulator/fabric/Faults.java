package io.queuepair.emulator.fabric;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * How probable each {@link Fault} is. Immutable; the {@code with} methods return changed copies.
 */
public final class Faults {
  /** How late a delayed packet is at most, unless told otherwise: twenty-five round trips. */
  private static final long DEFAULT_DELAY_NANOS = 50_000;

  private final Map<Fault, Double> probabilities;
  private final long delayNanos;

  private Faults(Map<Fault, Double> probabilities, long delayNanos) {
    this.probabilities = probabilities;
    this.delayNanos = delayNanos;
  }

  /** {@return no faults, and delays of up to 50 us once some are added} */
  public static Faults none() {
    return new Faults(new EnumMap<>(Fault.class), DEFAULT_DELAY_NANOS);
  }

  /**
   * The same with another probability.
   *
   * @param fault of what
   * @param probability for each packet, 0 to 1
   * @return a changed copy
   * @throws IllegalArgumentException if it is not 0 to 1
   */
  public Faults with(Fault fault, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "a probability of " + probability + " for " + fault + " is not 0 to 1");
    }
    Map<Fault, Double> changed = new EnumMap<>(probabilities);
    changed.put(fault, probability);
    return new Faults(changed, delayNanos);
  }

  /**
   * The same with other delays.
   *
   * @param nanos how late a delayed packet is at most, at least 1
   * @return a changed copy
   * @throws IllegalArgumentException if it is less
   */
  public Faults withDelayNanos(long nanos) {
    if (nanos < 1) {
      throw new IllegalArgumentException("a delay of " + nanos + " ns is not 1 or more");
    }
    return new Faults(probabilities, nanos);
  }

  /**
   * How probable a fault is.
   *
   * @param fault which
   * @return for each packet, 0 to 1
   */
  public double probability(Fault fault) {
    return probabilities.getOrDefault(fault, 0.0);
  }

  /** {@return how late a delayed packet is at most, in nanoseconds} */
  public long delayNanos() {
    return delayNanos;
  }

  /** What happens to one packet; always takes as many random numbers as there are faults. */
  Set<Fault> draw(Random random) {
    Set<Fault> drawn = EnumSet.noneOf(Fault.class);
    for (Fault fault : Fault.values()) {
      if (random.nextDouble() < probability(fault)) {
        drawn.add(fault);
      }
    }
    if (drawn.contains(Fault.LOSS)) {
      return EnumSet.of(Fault.LOSS);
    }
    if (drawn.contains(Fault.DELAY)) {
      drawn.remove(Fault.REORDERING);
    }
    return drawn;
  }
}

package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Another fabric with faults on the way out of every station, drawn from a seed: in virtual time
 * the same seed and the same work give the same faults. Thread-safe as far as that fabric is.
 */
public final class UnreliableFabric implements Fabric {
  private final Fabric fabric;
  private final Faults faults;
  private final Random random;
  private final Map<Fault, Long> taken = new EnumMap<>(Fault.class);

  /**
   * Adds faults to a fabric.
   *
   * @param fabric what carries the packets, closed with this one
   * @param faults how probable each fault is
   * @param seed of the random numbers
   */
  public UnreliableFabric(Fabric fabric, Faults faults, long seed) {
    this.fabric = fabric;
    this.faults = faults;
    random = new Random(seed);
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FabricException also if packets are to be corrupted where no bytes travel
   */
  @Override
  public Link attach(InetAddress address, Station station) {
    LateTraffic late = new LateTraffic(station);
    Link link = fabric.attach(address, late);
    if (link.form() == Link.Form.OBJECTS && faults.probability(Fault.CORRUPTION) > 0) {
      link.close();
      throw new FabricException(
          "Corruption needs bytes, and this network carries objects: make it wireExact.", null);
    }
    late.leavesThrough(link);
    return new UnreliableLink(this, link, late);
  }

  /**
   * How often each fault happened.
   *
   * @return packets since the beginning, for every fault
   */
  public synchronized Map<Fault, Long> taken() {
    Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    for (Fault fault : Fault.values()) {
      counts.put(fault, taken.getOrDefault(fault, 0L));
    }
    return Collections.unmodifiableMap(counts);
  }

  /** What happens to the next packet. */
  synchronized Set<Fault> draw() {
    Set<Fault> drawn = faults.draw(random);
    drawn.forEach(fault -> taken.merge(fault, 1L, Long::sum));
    return drawn;
  }

  /** How late the next delayed packet is. */
  synchronized long drawDelayNanos() {
    return 1 + (long) (random.nextDouble() * faults.delayNanos());
  }

  /** Which of some bits is flipped. */
  synchronized int drawBit(int bits) {
    return random.nextInt(bits);
  }

  @Override
  public void close() {
    fabric.close();
  }
}

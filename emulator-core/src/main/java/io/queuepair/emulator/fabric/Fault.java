package io.queuepair.emulator.fabric;

/** What an {@link UnreliableFabric} may do to a packet. */
public enum Fault {
  /** The packet never arrives. */
  LOSS,
  /** The packet arrives twice. */
  DUPLICATION,
  /** The packet is overtaken by the next one of its sender, or waits ten microseconds for one. */
  REORDERING,
  /** One bit of the packet is flipped; only where bytes travel. */
  CORRUPTION,
  /** The packet arrives late. */
  DELAY
}

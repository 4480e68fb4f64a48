package io.queuepair.emulator.fabric;

import java.util.List;

/** A device as its {@link Fabric} sees it. The fabric calls it holding no lock. */
public interface Station {
  /**
   * Traffic arrived. The bytes of bursts are only lent for the time of the call.
   *
   * @param traffic what arrived together, in order
   */
  void receive(List<? extends Traffic> traffic);

  /** The station's turn to send on its links whatever it has, until one is not writable. */
  void transmit();
}

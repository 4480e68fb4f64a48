package io.queuepair.emulator.fabric;

import java.net.InetAddress;

/**
 * A network that devices attach to: the port through which a device meets the outside. It owns the
 * time of its devices. Faults, captures and traces are decorators of this interface.
 */
public interface Fabric extends AutoCloseable {
  /**
   * Time, timers, and who makes progress.
   *
   * @return the same scheduler at every call
   */
  Scheduler scheduler();

  /**
   * Attaches a device under an address. The station may be called before this method returns.
   *
   * @param address the device's own address; datagrams for UDP port 4791 of it are received
   * @param station what receives
   * @return the way out, to be closed by the device
   * @throws FabricException if the address is taken or is not one of this network
   */
  Link attach(InetAddress address, Station station);

  /** Detaches everything and stops; nothing is delivered afterwards. */
  @Override
  void close();
}

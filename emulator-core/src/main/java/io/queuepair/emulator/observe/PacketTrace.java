// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Fabric;
import java.util.List;

/**
 * Keeps the packets of a network in memory, in the order of the lines of a {@link LadderTrace}, and
 * where and when each has arrived. For short runs: memory grows with each packet.
 */
public final class PacketTrace {
  private final PacketList packets;
  private final Fabric fabric;

  private PacketTrace(PacketList packets, Fabric fabric) {
    this.packets = packets;
    this.fabric = fabric;
  }

  /**
   * Traces a network.
   *
   * @param fabric the network
   * @return its trace, with the network to attach devices to
   */
  public static PacketTrace of(Fabric fabric) {
    PacketList packets = new PacketList(fabric.scheduler());
    return new PacketTrace(packets, fabric.observed(f -> new ObservedFabric(f, packets)));
  }

  /**
   * The network to attach devices to.
   *
   * @return closing it closes the one that is traced
   */
  public Fabric fabric() {
    return fabric;
  }

  /**
   * Packets sent so far.
   *
   * @param first number of the first packet that is wanted, from 0
   * @return the packets, in order; none if there are not so many
   */
  public List<TracedPacket> packetsFrom(int first) {
    return packets.packetsFrom(first);
  }

  /**
   * Packets that have arrived so far. Arrivals of Ethernet frames, and of packets outside of this
   * network, are not recorded.
   *
   * @param first number of the first arrival that is wanted, from 0
   * @return the arrivals, in order; none if there are not so many
   */
  public List<PacketArrival> arrivalsFrom(int first) {
    return packets.arrivalsFrom(first);
  }
}

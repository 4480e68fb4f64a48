// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Network that devices attach to. It provides the time of its devices. Faults, captures and traces
 * decorate this interface.
 */
public interface Fabric extends AutoCloseable {
  /** Forms of packets on links. */
  enum PacketForm {
    /** {@link DatagramBurst}s: bytes as on a wire. */
    ENCODED,
    /**
     * {@link PacketEnvelope}s: packet objects, for networks inside one process. Traffic that no
     * packet object can express, such as a corrupted packet, may travel as a {@link DatagramBurst}
     * of one datagram.
     */
    OBJECTS
  }

  /**
   * Clock and timers of the network, and the way in which its devices make progress.
   *
   * @return the same scheduler at every call
   */
  Scheduler scheduler();

  /**
   * Form of packets that {@link Link#send} takes.
   *
   * @return constant for the life of the network
   */
  PacketForm form();

  /**
   * Attaches a device under an address. The station may be called before this method returns.
   *
   * @param address address of the device, which receives datagrams to UDP port 4791 of it
   * @param station receiver of the traffic
   * @return link of the device, which the device has to close
   * @throws FabricException if the address is taken, is not one of this network, or is none that a
   *     single device can have
   */
  Link attach(InetAddress address, Station station);

  /**
   * Size of the largest IP packet that crosses the network.
   *
   * @param own attached address of the device that asks
   * @return bytes, IP header included
   */
  int mtuBytes(InetAddress own);

  /**
   * UDP source port of all datagrams, which the ICRC covers.
   *
   * @return the port, or 0 if the network keeps the port of each packet
   */
  default int sourcePort() {
    return 0;
  }

  /**
   * Amount of traffic that may be in flight to one receiver before packets are likely to be lost,
   * as far as the network can tell.
   *
   * @param own attached address of the device that asks
   * @return bytes, including the overhead of buffering in the network
   */
  default long receiveBufferBytes(InetAddress own) {
    return Long.MAX_VALUE;
  }

  /**
   * Amount of traffic that may be in flight to one peer before packets are likely to be lost, as
   * far as the network can tell.
   *
   * @param own attached address of the device that asks
   * @param peer address of the peer
   * @return bytes, including the overhead of buffering in the network
   */
  default long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return receiveBufferBytes(own);
  }

  /**
   * Whether a device may have an address, as far as the network can tell.
   *
   * @param address address of a peer or of a multicast group
   * @return false if it is known that no device has it
   */
  default boolean reaches(InetAddress address) {
    return true;
  }

  /**
   * Whether the host has a route from one address to another.
   *
   * @param source address of the device
   * @param destination address of a peer or of a multicast group
   * @return false if it is known that there is no route; true does not mean that a device has the
   *     address
   */
  default boolean hasRoute(InetAddress source, InetAddress destination) {
    return true;
  }

  /**
   * Whether the network has an Ethernet segment, on which stations see each other's frames.
   *
   * @return constant for the life of the network
   */
  default boolean hasSegment() {
    return false;
  }

  /**
   * Joins the Ethernet segment: the link of an address may send frames, and its station receives
   * those of all other links that have joined. A device with several links joins with one of them.
   *
   * @param own attached address of the device
   * @throws FabricException if there is no segment
   */
  default void joinSegment(InetAddress own) {
    throw new FabricException("This network has no Ethernet segment.", null);
  }

  /**
   * Delivers traffic to a station that does not come over the network, and shows it to traces and
   * captures as if it did. The caller must hold no lock that the station takes.
   *
   * @param host address under which the station is attached
   * @param station receiver of the traffic
   * @param traffic traffic, lent for the time of the call
   * @param note reason for the traffic, or null
   */
  default void handOver(
      InetAddress host, Station station, List<? extends Traffic> traffic, @Nullable String note) {
    station.receive(traffic);
  }

  /**
   * Record of lost packets and their fates. Stations, fault injectors and the network itself add to
   * it.
   *
   * @return the same record at every call
   */
  LostPackets lostPackets();

  /**
   * Responder resources of the queue pairs of this process on the network.
   *
   * @return the same record at every call
   */
  ResponderResources responderResources();

  /**
   * Adds an observer below all decorators that change traffic on purpose, so that it sees what
   * really travels.
   *
   * @param observer function that decorates a network with the observer
   * @return the network to attach devices to; closing it closes this one
   */
  default Fabric observed(UnaryOperator<Fabric> observer) {
    return observer.apply(this);
  }

  /** Detaches all devices and stops; nothing is delivered afterwards. */
  @Override
  void close();
}

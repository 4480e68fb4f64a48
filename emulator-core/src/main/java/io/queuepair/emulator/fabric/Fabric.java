// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A network that devices attach to. It owns the time of its devices. Faults, captures and traces
 * decorate this interface.
 */
public interface Fabric extends AutoCloseable {
  /** Forms of packets on links. */
  enum PacketForm {
    /** {@link DatagramBurst}s: bytes, as on a wire. */
    ENCODED,
    /**
     * {@link PacketEnvelope}s: packet objects, for networks inside one process. What cannot be
     * expressed as one, such as a corrupted packet, may travel as a {@link DatagramBurst} of one
     * datagram.
     */
    OBJECTS
  }

  /**
   * Time, timers, and who makes progress.
   *
   * @return the same scheduler at every call
   */
  Scheduler scheduler();

  /**
   * Form that {@link Link#send} takes.
   *
   * @return constant for the life of the network
   */
  PacketForm form();

  /**
   * Attaches a device under an address. The station may be called before this method returns.
   *
   * @param address the device's own address; datagrams for UDP port 4791 of it are received
   * @param station what receives
   * @return the way out, to be closed by the device
   * @throws FabricException if the address is taken, is not one of this network, or none that a
   *     single device can have
   */
  Link attach(InetAddress address, Station station);

  /**
   * The largest IP packet that crosses the network.
   *
   * @param own an attached address of the device that asks
   * @return bytes, IP header included
   */
  int mtuBytes(InetAddress own);

  /**
   * The UDP port that datagrams leave from, which the ICRC covers.
   *
   * @return the port, or 0 if the network keeps the one of each packet
   */
  default int sourcePort() {
    return 0;
  }

  /**
   * How much may be on its way to one receiver before it is likely to be lost, as far as the
   * network can tell.
   *
   * @param own an attached address of the device that asks
   * @return bytes, with what the network needs to hold them
   */
  default long receiveBufferBytes(InetAddress own) {
    return Long.MAX_VALUE;
  }

  /**
   * The same for what goes to one peer.
   *
   * @param own an attached address of the device that asks
   * @param peer where the packets go
   * @return bytes, with what the network needs to hold them
   */
  default long receiveBufferBytes(InetAddress own, InetAddress peer) {
    return receiveBufferBytes(own);
  }

  /**
   * Whether a device is known to have an address, as far as the network can tell.
   *
   * @param address of a peer or a multicast group
   * @return false if no device has it
   */
  default boolean reaches(InetAddress address) {
    return true;
  }

  /**
   * Whether the host can send from one address to another at all.
   *
   * @param source an address of the device
   * @param destination of a peer or a multicast group
   * @return false if it is known that it cannot; whether a device has the address is another matter
   */
  default boolean hasRoute(InetAddress source, InetAddress destination) {
    return true;
  }

  /**
   * Whether there is an Ethernet segment, on which stations see each other's frames.
   *
   * @return constant for the life of the network
   */
  default boolean hasSegment() {
    return false;
  }

  /**
   * Takes part in the Ethernet segment: the link of an address may send frames, and its station
   * receives those of all other links that take part. A device with several links joins with one of
   * them.
   *
   * @param own an attached address of the device
   * @throws FabricException if there is no segment
   */
  default void joinSegment(InetAddress own) {
    throw new FabricException("This network has no Ethernet segment.", null);
  }

  /**
   * Hands a station traffic that does not come over the network, and shows it to traces and
   * captures as if it did. The caller must hold no lock that the station takes.
   *
   * @param host address under which the station is attached
   * @param station that was attached
   * @param traffic lent for the time of the call
   * @param note why it comes
   */
  default void handOver(
      InetAddress host, Station station, List<? extends Traffic> traffic, @Nullable String note) {
    station.receive(traffic);
  }

  /**
   * Record of dropped packets. Senders annotate packets there if they know more of it: stations,
   * what changes traffic on purpose, and the network itself.
   *
   * @return the same record at every call; {@link LostPackets#none} if the network keeps none
   */
  LostPackets lostPackets();

  /**
   * Responder resources of the queue pairs of this process on the network.
   *
   * @return the same record at every call
   */
  ResponderResources responderResources();

  /**
   * Puts something that watches where it sees what really travels: beneath what changes traffic on
   * purpose.
   *
   * @param observer decorates a network with what watches it
   * @return the network to attach devices to; closing it closes this one
   */
  default Fabric observed(UnaryOperator<Fabric> observer) {
    return observer.apply(this);
  }

  /** Detaches everything and stops; nothing is delivered afterwards. */
  @Override
  void close();
}

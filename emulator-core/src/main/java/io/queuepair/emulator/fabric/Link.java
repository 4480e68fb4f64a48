// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One device's access to a {@link Fabric}. A device that has something to send {@link #ringDoorbell
 * rings the doorbell}; the fabric then calls {@link Station#transmit}, within which the device
 * sends. Only {@link #ringDoorbell} may be called at other times, unless the link {@link
 * #allowsInlineTransmit allows inline transmit}.
 */
public interface Link extends AutoCloseable {
  /** What a link carries. */
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

  /** Bytes that a borrowed buffer has at least: the largest UDP payload over IPv4. */
  int BURST_BYTES = 65_507;

  /**
   * What {@link #send} takes.
   *
   * @return constant for the life of the link
   */
  PacketForm form();

  /**
   * The largest IP packet that crosses the network.
   *
   * @return bytes, IP header included
   */
  int mtuBytes();

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
   * The UDP port that datagrams leave from, which the ICRC covers.
   *
   * @return the port, or 0 if the network keeps the one of each packet
   */
  int sourcePort();

  /**
   * How many datagrams one burst may hold. Datagram {@code i} of a burst leaves with IPv4
   * identification {@code i} and the don't-fragment bit, which the sender's ICRC must cover. To be
   * asked for every burst: it falls to 1 when an interface turns out unable to segment.
   *
   * @return 1 without segmentation offload
   */
  int maxSegments();

  /**
   * Whether the network takes more now. While it does not, a station holds back; its {@link
   * Station#transmit} is called when there is room again.
   *
   * @return false if more would only pile up
   */
  boolean isWritable();

  /**
   * Whether the network as a whole has room, though a turn of the station may take no more. Asked
   * by any thread.
   *
   * @return false if what a queue pair was to send before it ended would wait for others
   */
  default boolean hasRoom() {
    return true;
  }

  /**
   * How much may be on its way to one receiver before it is likely to be lost, as far as the
   * network can tell.
   *
   * @return bytes, with what the network needs to hold them
   */
  default long receiveBufferBytes() {
    return Long.MAX_VALUE;
  }

  /**
   * Lends a buffer for the bytes of one burst, to be given back by {@link #send} exactly once.
   *
   * @return a direct or heap buffer, position 0, limit at least {@link #BURST_BYTES}
   */
  ByteBuffer borrow();

  /**
   * Sends. Bytes of a burst belong to the link afterwards; a burst without bytes only gives its
   * buffer back. Never delivers to another station from within the call.
   *
   * @param traffic a burst; or a delivery, if the {@link #form()} is objects; or a frame, once this
   *     link has joined the Ethernet segment
   */
  void send(Traffic traffic);

  /**
   * A delivery that this link has sent, and which has arrived everywhere: may be filled again and
   * sent next, by the thread that sends. Not to be passed on by a decorator between a link and its
   * station and keeps what it sees.
   *
   * @return the delivery, or null if a new one has to be made
   */
  default @Nullable PacketEnvelope pollRecycled() {
    return null;
  }

  /**
   * Copies what deliveries that have not arrived still show of the sender's memory, which goes back
   * to the application before they do. Called by the thread that sends. A caller that reads a
   * delivery at its arrival holds its monitor meanwhile.
   */
  default void ownPayloads() {}

  /**
   * Ends what a station sends in a turn: what the link has gathered leaves, and what it had kept
   * back until now. Called in the turn, as {@link #send} is.
   */
  default void endTurn() {}

  /**
   * Sends traffic that something was done to on purpose.
   *
   * @param traffic as for {@link #send(Traffic)}
   * @param note what was done and why, for traces and captures
   */
  default void send(Traffic traffic, String note) {
    send(traffic);
  }

  /**
   * Tells traces and captures of traffic that does not pass this link, such as what is lost on
   * purpose. Its bytes stay the caller's.
   *
   * @param traffic what does not pass
   * @param note what was done and why
   */
  default void annotateDropped(Traffic traffic, String note) {}

  /**
   * Hands the station traffic that does not come over the network, and shows it to traces and
   * captures as if it did. The caller must hold no lock that the station takes.
   *
   * @param station that of this link
   * @param traffic lent for the time of the call
   * @param note why it comes
   */
  default void handOver(Station station, List<? extends Traffic> traffic, @Nullable String note) {
    station.receive(traffic);
  }

  /**
   * Tells captures that the station has no use for a packet that it received.
   *
   * @param traffic what it came with, still lent to the station
   * @param at where the packet begins in the bytes of a burst; 0 for a delivery
   * @param why the reason in words
   */
  default void dropped(IpTraffic traffic, int at, String why) {}

  /**
   * What became of packets that were dropped. Senders annotate packets there if they know more of
   * it: stations, what changes traffic on purpose, and the network itself.
   *
   * @return the record of the network, the same for all of its links; it stays empty if there is
   *     none
   */
  default LostPackets lostPackets() {
    return LostPackets.none();
  }

  /**
   * What the queue pairs of this process on the network have resources for.
   *
   * @return the record of the network, the same for all of its links; a new one if there is none
   */
  default ResponderResources responderResources() {
    return new ResponderResources();
  }

  /**
   * Tells traces and captures of something that happens to the station.
   *
   * @param note what happens and why
   */
  default void annotate(String note) {}

  /**
   * Whether there is an Ethernet segment, on which stations see each other's frames.
   *
   * @return constant for the life of the link; false unless the network says otherwise
   */
  default boolean hasSegment() {
    return false;
  }

  /**
   * Takes part in the Ethernet segment: this link may send frames, and its station receives those
   * of all other links that take part. A device with several links joins with one of them.
   *
   * @throws FabricException if there is no segment
   */
  default void joinSegment() {
    throw new FabricException("This network has no Ethernet segment.", null);
  }

  /**
   * Receives what is sent to a multicast group, by anybody, from now on; joining twice is joining
   * once. Several links may join the same group. The caller must hold no lock that the station
   * takes.
   *
   * @param group a multicast address of the same family as the link's own
   * @throws FabricException if the network cannot do that
   */
  default void join(InetAddress group) {
    throw new FabricException("This network has no multicast.", null);
  }

  /**
   * Receives no more of that; nothing happens if the link has not joined.
   *
   * @param group the multicast address
   */
  default void leave(InetAddress group) {}

  /**
   * Announces that the station has something to send: {@link Station#transmit} will be called, by
   * this call or soon by a thread of the fabric. The caller must hold no lock.
   */
  void ringDoorbell();

  /**
   * Whether the station may send without {@link #ringDoorbell}, from any thread and holding its own
   * lock, because the link would do no more than call it back. Not to be passed on by a decorator
   * that stands between a link and its station and may want to see each turn.
   *
   * @return false unless the network says otherwise
   */
  default boolean allowsInlineTransmit() {
    return false;
  }

  /**
   * Detaches the device. The address is free again at return, unless the network's own thread
   * calls. The caller must hold no lock that the station takes.
   */
  @Override
  void close();
}

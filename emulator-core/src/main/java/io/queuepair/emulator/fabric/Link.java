// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One device's access to a {@link Fabric}. A device that has something to send {@link #ringDoorbell
 * rings the doorbell}; the fabric then calls {@link Station#transmit}, within which the device
 * sends. Only {@link #ringDoorbell} may be called at other times, unless the link is a {@link
 * DirectLink}.
 */
public interface Link extends AutoCloseable {
  /** Subject of a note for traces and captures. */
  enum NoteSubject {
    /** The station itself: there is no traffic. */
    STATION,
    /** Traffic that does not pass this link, such as what is lost on purpose. */
    LOST,
    /** A packet that the station received, and has no use for. */
    UNUSED
  }

  /** Bytes that a borrowed buffer has at least: the largest UDP payload over IPv4. */
  int BURST_BYTES = 65_507;

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
   * Lends a buffer for the bytes of one burst, to be given back by {@link #send} exactly once.
   *
   * @return a direct or heap buffer, position 0, limit at least {@link #BURST_BYTES}
   */
  ByteBuffer borrow();

  /**
   * Sends. Bytes of a burst belong to the link afterwards; a burst without bytes only gives its
   * buffer back. Never delivers to another station from within the call.
   *
   * @param traffic a burst; or an envelope, if the network carries {@link Fabric.PacketForm#OBJECTS
   *     objects}; or a frame, once the address of this link has joined the Ethernet segment
   * @param note for traces and captures: what was done to it on purpose, and why; or null
   */
  void send(Traffic traffic, @Nullable String note);

  /**
   * Copies what envelopes that have not arrived still show of the sender's memory, which goes back
   * to the application before they do. Called by the thread that sends. A caller that reads an
   * envelope at its arrival holds its monitor meanwhile.
   */
  default void ownPayloads() {}

  /**
   * Ends what a station sends in a turn: what the link has gathered leaves, and what it had kept
   * back until now. Called in the turn, as {@link #send} is.
   */
  default void endTurn() {}

  /**
   * Tells traces and captures of something that this link does not carry.
   *
   * @param subject what the note is about
   * @param traffic what does not pass, or what a packet came with, still lent to the station; null
   *     for a note about the station. Its bytes stay the caller's
   * @param at where an unused packet begins in the bytes of a burst; otherwise 0
   * @param note what happens, and why
   */
  default void annotate(NoteSubject subject, @Nullable Traffic traffic, int at, String note) {}

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
   * Detaches the device. The address is free again at return, unless the network's own thread
   * calls. The caller must hold no lock that the station takes.
   */
  @Override
  void close();
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Access of one device to a {@link Fabric}. A device that has something to send {@link
 * #ringDoorbell rings the doorbell}; the fabric then calls {@link Station#transmit}, within which
 * the device sends. Traffic is sent only there, unless the link is a {@link DirectLink}.
 */
public interface Link extends AutoCloseable {
  /** Subject of a note for traces and captures. */
  enum NoteSubject {
    /** The station itself, without traffic. */
    STATION,
    /** Traffic that does not pass this link, such as packets lost on purpose. */
    LOST,
    /** A packet that the station received and does not use. */
    UNUSED
  }

  /** Minimum size of a borrowed buffer in bytes: the largest UDP payload over IPv4. */
  int BURST_BYTES = 65_507;

  /**
   * Maximum number of datagrams in one burst. Datagram {@code i} of a burst leaves with IPv4
   * identification {@code i} and the don't-fragment bit, which the sender's ICRC must cover. The
   * device asks for every burst, as the number falls to 1 when an interface turns out unable to
   * segment.
   *
   * @return 1 without segmentation offload
   */
  int maxSegments();

  /**
   * Whether the network takes more traffic now. If not, the station stops sending; its {@link
   * Station#transmit} is called when there is room again.
   *
   * @return false if more traffic would only pile up
   */
  boolean isWritable();

  /**
   * Whether the network as a whole has room, though a turn of the station may take no more. Any
   * thread may call this.
   *
   * @return false if the last packets of a queue pair that ends would have to wait for others
   */
  default boolean hasRoom() {
    return true;
  }

  /**
   * Lends a buffer for the bytes of one burst, which {@link #send} gives back exactly once.
   *
   * @return a direct or heap buffer, position 0, limit at least {@link #BURST_BYTES}
   */
  ByteBuffer borrow();

  /**
   * Sends traffic. The bytes of a burst belong to the link afterwards; a burst without bytes only
   * gives its buffer back. The call itself never delivers to another station.
   *
   * @param traffic a burst; or an envelope, if the network carries {@link Fabric.PacketForm#OBJECTS
   *     objects}; or a frame, once the address of this link has joined the Ethernet segment
   * @param note what was done to the traffic on purpose, and why, for traces and captures; or null
   */
  void send(Traffic traffic, @Nullable String note);

  /**
   * Copies the memory of the application that envelopes in flight refer to, as the application gets
   * the memory back before they arrive. Called by the thread that sends. A receiver holds the
   * monitor of an envelope while it reads it.
   */
  default void ownPayloads() {}

  /**
   * Ends a turn of the station: sends the traffic that the link has gathered or held back. Called
   * in the turn, as {@link #send} is.
   */
  default void endTurn() {}

  /**
   * Adds a note to traces and captures about something that this link does not carry.
   *
   * @param subject subject of the note
   * @param traffic lost traffic, or received traffic that holds the unused packet and is still lent
   *     to the station; null for a note about the station. The caller keeps the buffer
   * @param at offset of an unused packet in its burst, in bytes; otherwise 0
   * @param note what happens, and why
   */
  default void annotate(NoteSubject subject, @Nullable Traffic traffic, int at, String note) {}

  /**
   * Joins a multicast group: the station receives what any device sends to it from now on. Joining
   * twice is joining once. Several links may join the same group. The caller must hold no lock that
   * the station takes.
   *
   * @param group multicast address of the same family as the link's own
   * @throws FabricException if the network cannot join it
   */
  default void join(InetAddress group) {
    throw new FabricException("This network has no multicast.", null);
  }

  /**
   * Leaves a multicast group; ignored if the link has not joined it.
   *
   * @param group multicast address
   */
  default void leave(InetAddress group) {}

  /**
   * Announces that the station has something to send: {@link Station#transmit} will be called, by
   * this call or soon by a thread of the fabric. The caller must hold no lock.
   */
  void ringDoorbell();

  /**
   * Detaches the device. The address is free again at return, unless the caller is the network's
   * own thread. The caller must hold no lock that the station takes.
   */
  @Override
  void close();
}

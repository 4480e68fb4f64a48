// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.DatagramChannel;
import io.queuepair.emulator.fabric.FabricException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A kind of UDP socket: how to make one that carries RoCEv2, and what drives it. */
interface Sockets {
  /** Buffer size that fits any RoCEv2 datagram: 4096 bytes of payload and all headers. */
  int LARGEST_PACKET_BYTES = 8192;

  /** Bytes to send that the kernel may buffer for each device before it refuses more. */
  int SEND_BUFFER_BYTES = 8 << 20;

  /**
   * The kind that the options ask for.
   *
   * @throws FabricException if this host does not have it
   */
  static Sockets of(UdpOptions options) {
    return switch (options.transport()) {
      case AUTO -> Epoll.isAvailable() ? new EpollSockets(options) : new NioSockets(options);
      case NIO -> new NioSockets(options);
      case EPOLL -> {
        if (!Epoll.isAvailable()) {
          throw new FabricException(
              "epoll sockets are not available here: "
                  + Epoll.unavailabilityCause().getMessage()
                  + "; they need "
                  + EpollSockets.NEEDS,
              Epoll.unavailabilityCause());
        }
        yield new EpollSockets(options);
      }
    };
  }

  /** Whether sockets survive an interrupt of a thread that uses them; the JDK closes them. */
  boolean surviveInterrupts();

  /** Factory of the handler that drives the sockets on the event loop. */
  IoHandlerFactory driver();

  /**
   * Makes an unbound socket of the address's family. For a multicast group, the socket may share
   * the address with others, and receives only from interfaces on which it has joined the group.
   *
   * @throws IOException if the host has no such socket
   */
  DatagramChannel open(InetAddress address) throws IOException;

  /** Sends a burst by a system call of its own, on the thread of the loop. */
  interface DirectSend {
    /**
     * Makes the kernel cut what is sent from now on into datagrams.
     *
     * @param bytes length of each datagram but the last; 0 for no cuts
     * @throws IOException if the kernel cannot
     */
    void cutInto(int bytes) throws IOException;

    /**
     * Sends the bytes of a direct buffer from one index to another.
     *
     * @return the number of bytes sent; 0 if the socket is full
     * @throws IOException if the kernel refuses the burst, which is lost
     */
    int sendTo(ByteBuffer bytes, int begin, int end, InetAddress address, int port)
        throws IOException;
  }

  /**
   * How to send a burst past the queue of a socket's channel, which must be empty.
   *
   * @return null if it cannot
   */
  default DirectSend directSend(DatagramChannel socket) {
    return null;
  }

  /** Largest number of datagrams in one send (UDP_SEGMENT). */
  int maxSegments();

  /**
   * Whether the IPv4 identification of sent datagrams is known. The ICRC covers it, and other
   * devices check that; if it is unknown, only receivers that compute it from the ICRC accept the
   * datagrams.
   */
  boolean sendsKnownIdentification();

  /** Human-readable requirement for a known IPv4 identification. */
  default String identificationNeeds() {
    return "nothing";
  }

  /** Whether datagrams over IPv6 without a UDP checksum arrive, which Linux Soft-RoCE sends. */
  boolean acceptsNoChecksum();
}

package io.queuepair.udp;

import java.util.Objects;

/**
 * How a {@link UdpFabric} uses the sockets of the host. Start from {@link #defaults()}.
 *
 * @param transport which kind of sockets
 * @param port UDP port to bind, to send from and to send to; other devices use 4791
 * @param segmentationOffload whether one system call may move many datagrams of one peer, where the
 *     host can
 * @param receiveBufferBytes what the kernel may hold back for each device; arrivals beyond it are
 *     lost. The host may grant less
 * @param sendBufferBytes what the kernel may hold of each device before it refuses more
 */
public record UdpOptions(
    Transport transport,
    int port,
    boolean segmentationOffload,
    int receiveBufferBytes,
    int sendBufferBytes) {

  /** The kind of sockets. */
  public enum Transport {
    /** Epoll where the host has it, else NIO. */
    AUTO,
    /** Linux's own: segmentation offload, and every option RoCE needs. */
    EPOLL,
    /** The JDK's: everywhere, one system call for each datagram. */
    NIO
  }

  /** The UDP port of RoCEv2. */
  public static final int ROCE_PORT = 4791;

  private static final int DEFAULT_BUFFER_BYTES = 8 << 20;

  /**
   * Checks the values.
   *
   * @param transport any
   * @param port 1 to 65535
   * @param segmentationOffload any
   * @param receiveBufferBytes 1 or more
   * @param sendBufferBytes 1 or more
   * @throws IllegalArgumentException if the port or a size is out of range
   */
  public UdpOptions {
    Objects.requireNonNull(transport, "transport");
    if (port < 1 || port > 0xFFFF) {
      throw new IllegalArgumentException("port " + port + " is not in 1..65535");
    }
    if (receiveBufferBytes < 1 || sendBufferBytes < 1) {
      throw new IllegalArgumentException("socket buffers need a size above 0");
    }
  }

  /**
   * What suits RoCEv2.
   *
   * @return epoll where available, port 4791, segmentation offload, 8 MiB of buffer each way
   */
  public static UdpOptions defaults() {
    return new UdpOptions(
        Transport.AUTO, ROCE_PORT, true, DEFAULT_BUFFER_BYTES, DEFAULT_BUFFER_BYTES);
  }

  /**
   * Chooses the kind of sockets.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withTransport(Transport value) {
    return new UdpOptions(value, port, segmentationOffload, receiveBufferBytes, sendBufferBytes);
  }

  /**
   * Chooses another UDP port, for tests: only devices with the same port hear each other.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withPort(int value) {
    return new UdpOptions(
        transport, value, segmentationOffload, receiveBufferBytes, sendBufferBytes);
  }

  /**
   * Turns segmentation offload on or off, for both directions.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withSegmentationOffload(boolean value) {
    return new UdpOptions(transport, port, value, receiveBufferBytes, sendBufferBytes);
  }

  /**
   * Chooses the size of the kernel's receive buffer.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withReceiveBufferBytes(int value) {
    return new UdpOptions(transport, port, segmentationOffload, value, sendBufferBytes);
  }

  /**
   * Chooses the size of the kernel's send buffer.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withSendBufferBytes(int value) {
    return new UdpOptions(transport, port, segmentationOffload, receiveBufferBytes, value);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.Scheduler.ProgressMode;
import java.util.List;
import java.util.Objects;

/**
 * How a {@link UdpFabric} uses the sockets of the host. Start from {@link #defaults()}.
 *
 * @param transport which kind of sockets
 * @param port UDP port to bind, to send from and to send to; other devices use 4791
 * @param segmentationOffload whether one system call may move many datagrams of one peer, where the
 *     host can
 * @param receiveBufferBytes bytes of arrivals that the kernel may buffer for each device; further
 *     arrivals are lost. The host may grant less
 * @param progress which thread moves the datagrams
 * @param busyPoll whether that thread polls for datagrams continuously instead of sleeping until
 *     some arrive: lower latency, at the cost of a processor that is never idle. With NIO sockets a
 *     background thread sleeps all the same
 */
public record UdpOptions(
    Transport transport,
    int port,
    boolean segmentationOffload,
    int receiveBufferBytes,
    ProgressMode progress,
    boolean busyPoll) {

  /** The kind of sockets. */
  public enum Transport {
    /** Epoll where the host has it, else NIO. */
    AUTO,
    /** Epoll sockets of Linux: segmentation offload, and every option that RoCE needs. */
    EPOLL,
    /** Sockets of the JDK: on every host, one system call for each datagram. */
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
   * @param progress {@code BACKGROUND} or {@code CALLER_DRIVEN}
   * @param busyPoll any
   * @throws IllegalArgumentException if the port or the size is out of range, or time is to be
   *     virtual
   */
  public UdpOptions {
    Objects.requireNonNull(transport, "transport");
    if (port < 1 || port > 0xFFFF) {
      throw new IllegalArgumentException("port " + port + " is not in 1..65535");
    }
    if (receiveBufferBytes < 1) {
      throw new IllegalArgumentException("a socket buffer needs a size above 0");
    }
    if (Objects.requireNonNull(progress, "progress") == ProgressMode.VIRTUAL) {
      throw new IllegalArgumentException("a real network has no virtual time");
    }
  }

  /**
   * Returns the defaults for RoCEv2.
   *
   * @return epoll where available, port 4791, segmentation offload, 8 MiB of buffer each way, a
   *     background thread that sleeps when there is nothing to do. A waiting thread spins before it
   *     sleeps, for 100 microseconds at most, if recent waits were that short, and occasionally if
   *     not
   */
  public static UdpOptions defaults() {
    return new UdpOptions(
        Transport.AUTO, ROCE_PORT, true, DEFAULT_BUFFER_BYTES, ProgressMode.BACKGROUND, false);
  }

  /**
   * Finds loopback addresses for devices, so that builds that run at the same time on one host use
   * different ones. The port of these options is free on each of them. They are chosen at random
   * from 127.64.0.0 to 127.254.255.254. Linux and Windows have all of them without configuration.
   *
   * @param count how many, 1 to 1000
   * @return that many different addresses, for {@code Emulator.addDevice}; nothing reserves them,
   *     but it is most unlikely that another process finds the same ones
   * @throws IllegalArgumentException if the count is out of range
   * @throws io.queuepair.emulator.fabric.FabricException if the host has no such addresses, as
   *     macOS has not: there each one must be added to the interface lo0
   */
  public List<String> freeLoopbackAddresses(int count) {
    return FreeLoopback.addresses(port, count);
  }

  /**
   * Chooses the kind of sockets.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withTransport(Transport value) {
    return new UdpOptions(value, port, segmentationOffload, receiveBufferBytes, progress, busyPoll);
  }

  /**
   * Chooses another UDP port, for tests: only devices with the same port reach each other.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withPort(int value) {
    return new UdpOptions(
        transport, value, segmentationOffload, receiveBufferBytes, progress, busyPoll);
  }

  /**
   * Turns segmentation offload on or off, for both directions.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withSegmentationOffload(boolean value) {
    return new UdpOptions(transport, port, value, receiveBufferBytes, progress, busyPoll);
  }

  /**
   * Chooses the size of the kernel's receive buffer.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withReceiveBufferBytes(int value) {
    return new UdpOptions(transport, port, segmentationOffload, value, progress, busyPoll);
  }

  /**
   * Chooses which thread moves the datagrams. {@code BACKGROUND}: the network's own thread, or,
   * with epoll sockets and without busy polling, a thread of the application while it posts, polls
   * or waits; any number of threads may use the devices. {@code CALLER_DRIVEN}: the application's
   * thread, whenever a poll finds nothing or a wait begins; there is no other thread. It must be
   * one thread, the one that attaches the first device, and it must poll or wait often, or peers
   * see no acknowledgements.
   *
   * @param value {@code BACKGROUND} or {@code CALLER_DRIVEN}
   * @return these options with that one changed
   * @throws IllegalArgumentException if time is to be virtual
   */
  public UdpOptions withProgress(ProgressMode value) {
    return new UdpOptions(
        transport, port, segmentationOffload, receiveBufferBytes, value, busyPoll);
  }

  /**
   * Turns busy polling on or off. With caller-driven progress, acknowledgements then wait for the
   * caller's next poll or wait, which is expected soon, and leave together with what it posts until
   * then.
   *
   * @param value the new value
   * @return these options with that one changed
   */
  public UdpOptions withBusyPoll(boolean value) {
    return new UdpOptions(
        transport, port, segmentationOffload, receiveBufferBytes, progress, value);
  }
}

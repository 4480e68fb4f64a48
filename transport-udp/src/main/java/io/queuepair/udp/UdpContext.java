// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.ResponderResources;

/**
 * State that the devices of one fabric share, all of it on one event loop.
 *
 * @param options options of the user
 * @param sockets how sockets are made
 * @param loop event loop of all devices
 * @param closeGate prevents the opening of sockets after closing
 * @param executor runs device code on the loop
 * @param pool buffers of outgoing bursts
 * @param udpStats traffic counters
 * @param sendErrorLog log of datagrams that the kernel did not send
 * @param lost record of lost packets
 * @param responderResources {@code max_dest_rd_atomic} of the queue pairs
 */
record UdpContext(
    UdpOptions options,
    Sockets sockets,
    ProgressLoop loop,
    CloseGate closeGate,
    DeviceExecutor executor,
    BurstPool pool,
    UdpStats udpStats,
    SendErrorLog sendErrorLog,
    LostPackets lost,
    ResponderResources responderResources) {

  UdpContext(UdpOptions options, Sockets sockets, ProgressLoop loop) {
    this(options, sockets, loop, new LostPackets());
  }

  UdpContext(UdpOptions options, Sockets sockets, ProgressLoop loop, LostPackets lost) {
    this(
        options,
        sockets,
        loop,
        new CloseGate(),
        new DeviceExecutor(loop),
        new BurstPool(),
        new UdpStats(),
        new SendErrorLog(),
        lost,
        new ResponderResources());
  }
}

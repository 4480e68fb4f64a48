// SPDX-License-Identifier: Apache-2.0
package io.queuepair.udp;

import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.ResponderResources;

/**
 * State that the devices of one fabric share, all of it on one event loop.
 *
 * @param options what the user chose
 * @param sockets how sockets are made
 * @param loop what runs it
 * @param closeGate who may open sockets
 * @param executor who runs when
 * @param pool memory for what is sent
 * @param udpStats what is counted
 * @param sendErrorLog what the kernel refused
 * @param lost packets that were not taken
 * @param responderResources what queue pairs have resources for
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

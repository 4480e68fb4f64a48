package io.queuepair.udp;

import io.queuepair.emulator.fabric.LostPackets;

/**
 * What the devices of one fabric share, all of it on one event loop.
 *
 * @param options what the user chose
 * @param sockets how sockets are made
 * @param loop what runs it
 * @param openings who may open sockets
 * @param turns who runs when
 * @param pool memory for what is sent
 * @param meter what is counted
 * @param sendFailures what the kernel refused
 * @param lost packets that were not taken
 */
record LoopState(
    UdpOptions options,
    Sockets sockets,
    Loop loop,
    Openings openings,
    Turns turns,
    BurstPool pool,
    Meter meter,
    SendFailures sendFailures,
    LostPackets lost) {

  LoopState(UdpOptions options, Sockets sockets, Loop loop) {
    this(
        options,
        sockets,
        loop,
        new Openings(),
        new Turns(loop),
        new BurstPool(),
        new Meter(),
        new SendFailures(),
        new LostPackets());
  }
}

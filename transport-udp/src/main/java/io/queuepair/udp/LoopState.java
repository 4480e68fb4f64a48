package io.queuepair.udp;

/**
 * What the devices of one fabric share, all of it on one event loop.
 *
 * @param options what the user chose
 * @param sockets how sockets are made
 * @param turns who runs when
 * @param pool memory for what is sent
 * @param meter what is counted
 * @param sendFailures what the kernel refused
 */
record LoopState(
    UdpOptions options,
    Sockets sockets,
    Turns turns,
    BurstPool pool,
    Meter meter,
    SendFailures sendFailures) {

  LoopState(UdpOptions options, Sockets sockets, Turns turns) {
    this(options, sockets, turns, new BurstPool(), new Meter(), new SendFailures());
  }
}

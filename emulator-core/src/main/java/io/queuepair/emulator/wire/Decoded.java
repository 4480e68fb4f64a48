package io.queuepair.emulator.wire;

/** What became of a datagram: a packet, or the reason why there is none. */
public sealed interface Decoded permits Packet, DropReason {}

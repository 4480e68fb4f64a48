package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.wire.PacketSlot;

/**
 * What the queue pairs of a device have in common.
 *
 * @param outgoing the packet that is being sent: it has left before the next is made
 * @param losses what is known of lost packets
 */
record SharedParts(MemoryTable memory, Pacing pacing, PacketSlot outgoing, LossReport losses) {}

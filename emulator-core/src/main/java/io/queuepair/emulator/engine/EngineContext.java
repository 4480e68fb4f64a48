// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.MutablePacket;

/**
 * Parts that the queue pairs of a device have in common.
 *
 * @param outgoingPacket the packet that is being sent: it has left before the next is made
 * @param losses what is known of lost packets
 */
record EngineContext(
    MemoryTable memory,
    SendWindowConfig sendWindow,
    MutablePacket outgoingPacket,
    LossReport losses) {}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.MutablePacket;

/**
 * Objects that all queue pairs of a device share.
 *
 * @param outgoingPacket reused packet, which has left before the next one is made
 * @param losses record of lost packets
 */
record EngineContext(
    MemoryTable memory,
    SendWindowConfig sendWindow,
    MutablePacket outgoingPacket,
    LossReport losses) {}

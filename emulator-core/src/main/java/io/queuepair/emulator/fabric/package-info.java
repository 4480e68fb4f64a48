// SPDX-License-Identifier: Apache-2.0
/**
 * The network as devices see it: {@link io.queuepair.emulator.fabric.Fabric}, its links and
 * stations, the traffic that passes, and {@link io.queuepair.emulator.fabric.Scheduler}; and the
 * network in memory, in virtual or real time. May use {@code wire}; knows nothing of devices beyond
 * {@link io.queuepair.emulator.fabric.Station}. No type of {@code wire} appears in a public
 * signature, because that package is not exported; but for the packet of a {@link
 * io.queuepair.emulator.fabric.PacketEnvelope}, which programs can pass on and not look into.
 */
@NullMarked
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.NullMarked;

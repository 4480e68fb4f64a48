// SPDX-License-Identifier: Apache-2.0
/**
 * The network as devices see it: {@link io.queuepair.emulator.fabric.Fabric}, its links and
 * stations, the traffic that passes, and {@link io.queuepair.emulator.fabric.Scheduler}; and the
 * network in memory, in virtual or real time. May use {@code wire}; knows nothing of devices beyond
 * {@link io.queuepair.emulator.fabric.Station}. The package {@code wire} is not exported. Public
 * signatures contain none of its types, except the packets of {@link
 * io.queuepair.emulator.fabric.PacketEnvelope} and {@link
 * io.queuepair.emulator.fabric.BurstEncoder}, which programs can pass on but not inspect.
 */
@NullMarked
package io.queuepair.emulator.fabric;

import org.jspecify.annotations.NullMarked;

/**
 * The network as devices see it: the ports {@link io.queuepair.emulator.fabric.Fabric} and {@link
 * io.queuepair.emulator.fabric.Scheduler}, the in-memory network in virtual or real time, and what
 * decorates a network: traces and captures. May use {@code wire}; knows nothing of devices beyond
 * {@link io.queuepair.emulator.fabric.Station}. No type of {@code wire} appears in a public
 * signature, because that package is not exported.
 */
package io.queuepair.emulator.fabric;

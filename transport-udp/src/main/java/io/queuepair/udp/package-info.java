// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 over UDP: the {@link io.queuepair.emulator.fabric.Fabric} whose network is the real one.
 * Contains sockets, their options and the event loop that drives them; does not interpret packets.
 * The only package that uses Netty; no Netty type appears in a public signature.
 */
package io.queuepair.udp;

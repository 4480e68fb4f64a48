// SPDX-License-Identifier: Apache-2.0
/**
 * RoCEv2 over UDP: the {@link io.queuepair.emulator.fabric.Fabric} whose network is the real one.
 * Here live sockets, their options and the event loop that drives them; nothing here knows what a
 * packet means. The only package that uses Netty, of which no type appears in a public signature.
 */
package io.queuepair.udp;

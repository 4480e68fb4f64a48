// SPDX-License-Identifier: Apache-2.0
/**
 * The channel adapter: what each verb checks and does, and its errnos; the ports of a device:
 * addresses, P_Keys, state, MTU. Passive: it has no lock, thread or clock, and sends nothing; it
 * asks the network only what a port can reach. May use {@code engine}, {@code fabric}, and the
 * packages below these.
 */
@NullMarked
package io.queuepair.emulator.hca;

import org.jspecify.annotations.NullMarked;

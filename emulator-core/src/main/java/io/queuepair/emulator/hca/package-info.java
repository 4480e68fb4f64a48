// SPDX-License-Identifier: Apache-2.0
/**
 * The channel adapter: what each verb checks and does, which errno it answers and why, and the
 * ports of a device: addresses, P_Keys, state, MTU. Passive: no lock, thread or clock is used here.
 * Of the network it asks what a port can reach, nothing is sent. May use {@code engine}, {@code
 * fabric}, and what is before these.
 */
@NullMarked
package io.queuepair.emulator.hca;

import org.jspecify.annotations.NullMarked;

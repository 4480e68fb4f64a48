// SPDX-License-Identifier: Apache-2.0
/**
 * The channel adapter: what each verb checks and does, which errno it answers and why, and the
 * ports of a device: addresses, P_Keys, state, MTU. Passive: no lock, thread or clock is used here,
 * and no network is known. May use {@code engine} and what is before it.
 */
@NullMarked
package io.queuepair.emulator.hca;

import org.jspecify.annotations.NullMarked;

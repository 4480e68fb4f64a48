// SPDX-License-Identifier: Apache-2.0
/**
 * Injected faults: the language of fault plans, and the network that applies a plan to packets.
 * Decorates what {@code fabric} offers and may use {@code wire}; knows nothing of devices. No type
 * of {@code wire} appears in a public signature, because that package is not exported.
 */
@NullMarked
package io.queuepair.emulator.faults;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Faults on purpose: the language of fault plans, and the network that carries a plan out on
 * packets. Decorates what {@code fabric} offers and may use {@code wire}; knows nothing of devices.
 * No type of {@code wire} appears in a public signature, because that package is not exported.
 */
@NullMarked
package io.queuepair.emulator.faults;

import org.jspecify.annotations.NullMarked;

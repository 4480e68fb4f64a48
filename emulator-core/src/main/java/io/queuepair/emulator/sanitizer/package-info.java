// SPDX-License-Identifier: Apache-2.0
/**
 * Finds misuse that a device does not notice, for profiles that ask for it. Watches posted work and
 * its memory; changes nothing of what the device does, except that the memory of receives is
 * poisoned. May use {@code profile}, {@code memory}, {@code queue} and {@code qp}.
 */
@NullMarked
package io.queuepair.emulator.sanitizer;

import org.jspecify.annotations.NullMarked;

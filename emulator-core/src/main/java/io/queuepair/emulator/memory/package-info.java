// SPDX-License-Identifier: Apache-2.0
/**
 * Registered memory: keys, emulated addresses, rights, and access through scatter/gather lists.
 * Nothing here knows of packets or queue pairs. May use {@code profile} and {@code wire} (whose
 * {@code Payload} is a view of memory).
 */
@NullMarked
package io.queuepair.emulator.memory;

import org.jspecify.annotations.NullMarked;

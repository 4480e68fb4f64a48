// SPDX-License-Identifier: Apache-2.0
/**
 * One queue pair: attributes, state, path, address of its port. No packet is looked at here. May
 * use {@code queue}, {@code memory}, {@code wire}, {@code profile}.
 */
@NullMarked
package io.queuepair.emulator.qp;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Which errno a verb answers, and why: what is checked of the attributes of each call. Changes
 * nothing. May use {@code qp}, {@code queue}, {@code memory}, {@code wire}, {@code profile}.
 */
@NullMarked
package io.queuepair.emulator.checks;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * Sees each packet on a network, for traces and captures, and writes it as text. Not exported:
 * types of {@code wire} appear here.
 */
@NullMarked
package io.queuepair.emulator.fabric.observe;

import org.jspecify.annotations.NullMarked;

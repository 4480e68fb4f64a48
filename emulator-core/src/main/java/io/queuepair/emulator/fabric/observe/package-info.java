// SPDX-License-Identifier: Apache-2.0
/**
 * Sees each packet on a network, for traces and captures, and writes it as text. Not exported:
 * types of {@code wire} appear here.
 */
package io.queuepair.emulator.fabric.observe;

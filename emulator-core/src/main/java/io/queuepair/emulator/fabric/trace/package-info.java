// SPDX-License-Identifier: Apache-2.0
/** The ladder: what is sent on a network, as lines of text while it happens. */
package io.queuepair.emulator.fabric.trace;

// SPDX-License-Identifier: Apache-2.0
/** The network in memory, in virtual or real time: its links, and the events that move it. */
@NullMarked
package io.queuepair.emulator.fabric.memory;

import org.jspecify.annotations.NullMarked;

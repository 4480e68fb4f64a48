// SPDX-License-Identifier: Apache-2.0
/** What is sent on a network: the ladder, as text while it happens, and lists of packets. */
@NullMarked
package io.queuepair.emulator.fabric.trace;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/** Calls that wait: for a completion, an event, or until what was posted has left. */
@NullMarked
package io.queuepair.emulator.device.blocking;

import org.jspecify.annotations.NullMarked;

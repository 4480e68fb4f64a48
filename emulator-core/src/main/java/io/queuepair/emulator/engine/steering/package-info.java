// SPDX-License-Identifier: Apache-2.0
/**
 * Which queue pairs get what is not sent to one of them: flows, multicast groups, shared receive
 * queues.
 */
@NullMarked
package io.queuepair.emulator.engine.steering;

import org.jspecify.annotations.NullMarked;

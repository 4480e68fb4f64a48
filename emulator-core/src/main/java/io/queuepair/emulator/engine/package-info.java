// SPDX-License-Identifier: Apache-2.0
/**
 * Protocol engine of the queue pairs: attributes and states, scheduling, deadlines, packet
 * dispatch, requesters and responders, counters of the device, the sanitizer. NAKs are decided by
 * {@link io.queuepair.emulator.engine.RequestChecks}. No clock, thread, socket or lock is used
 * here. May use {@code queue}, {@code memory}, {@code wire}, {@code coverage}, {@code profile}.
 */
@NullMarked
package io.queuepair.emulator.engine;

import org.jspecify.annotations.NullMarked;

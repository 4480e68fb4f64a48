// SPDX-License-Identifier: Apache-2.0
/**
 * Queue pairs at work: attributes and states, which queue pair sends next, deadlines, which packets
 * are a queue pair's at all; requester and responder; what a device counts; the sanitizer. Where a
 * NAK is decided: {@link io.queuepair.emulator.engine.RequestChecks}. No clock, thread, socket or
 * lock is used here. May use {@code queue}, {@code memory}, {@code wire}, {@code coverage}, {@code
 * profile}.
 */
@NullMarked
package io.queuepair.emulator.engine;

import org.jspecify.annotations.NullMarked;

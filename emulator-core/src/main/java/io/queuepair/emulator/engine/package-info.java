// SPDX-License-Identifier: Apache-2.0
/**
 * Queue pairs at work: what their states mean, who sends next, deadlines, which packets are a queue
 * pair's at all. What a requester does is in {@code engine.requester}, what a responder does in
 * {@code engine.responder}. No clock, thread, socket or lock is used here. May use {@code checks},
 * {@code qp}, {@code queue}, {@code memory}, {@code wire}, {@code profile}.
 */
@NullMarked
package io.queuepair.emulator.engine;

import org.jspecify.annotations.NullMarked;

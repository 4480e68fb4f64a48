// SPDX-License-Identifier: Apache-2.0
/**
 * The receiving half of a queue pair: the checks of requests in the order of the specification,
 * what accepted ones do, and the responses. Where a NAK is decided: {@link
 * io.queuepair.emulator.engine.responder.RequestChecks}. May use {@code engine.context} and {@code
 * engine.stats}; knows nothing of requesters.
 */
@NullMarked
package io.queuepair.emulator.engine.responder;

import org.jspecify.annotations.NullMarked;

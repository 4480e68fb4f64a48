/**
 * Queue pairs at work: requester, completer and responder of a reliable connection, their packets,
 * retries and deadlines. Where a NAK is decided: {@link
 * io.queuepair.emulator.engine.RequestChecks}; what it leads to: {@link
 * io.queuepair.emulator.engine.Verdict}. No clock, thread, socket or lock is used here. May use
 * {@code qp}, {@code queue}, {@code memory}, {@code wire}, {@code profile}.
 */
package io.queuepair.emulator.engine;

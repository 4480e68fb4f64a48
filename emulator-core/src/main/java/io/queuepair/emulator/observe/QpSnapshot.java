// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.MigState;
import io.queuepair.verbs.QpState;
import java.util.List;
import java.util.Optional;

/**
 * A queue pair at one moment.
 *
 * @param state its state
 * @param transitions how often its state has changed since its creation
 * @param lastStates the latest states it was in, up to eight, oldest first; the present one is last
 * @param isDraining whether it is in SQD and finishes the sends that have started
 * @param pathMigState its path migration state
 * @param sqPsn PSN that its next new request will carry, 24-bit; before it can send, the value that
 *     was set
 * @param rqPsn PSN that it expects of its peer, 24-bit; before it can receive, the value that was
 *     set
 * @param sendQueue sends that have not completed, oldest first
 * @param receiveQueue {@code wr_id} of receives that no message has consumed, oldest first; empty
 *     if it has a shared receive queue
 * @param retryTimer the running timer of its requester; empty if none runs
 */
public record QpSnapshot(
    QpState state,
    long transitions,
    List<QpState> lastStates,
    boolean isDraining,
    MigState pathMigState,
    int sqPsn,
    int rqPsn,
    List<PostedSend> sendQueue,
    List<Long> receiveQueue,
    Optional<RetryTimer> retryTimer) {}

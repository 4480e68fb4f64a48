// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.WorkCompletion;
import java.util.List;

/**
 * A completion queue at one moment.
 *
 * @param completions those that have not been polled, oldest first
 * @param cqe how many it can hold
 * @param isArmed whether the next completion that counts will be announced
 * @param isOverrun whether a completion was lost for lack of room; it takes no more then
 */
public record CqSnapshot(
    List<WorkCompletion> completions, int cqe, boolean isArmed, boolean isOverrun) {}

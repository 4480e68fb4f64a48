// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.verbs.WorkCompletion;
import java.util.List;

/**
 * A completion queue at one moment.
 *
 * @param completions completions that have not been polled, oldest first
 * @param cqe number of completions that it can hold
 * @param isArmed whether the next completion, or the next solicited one, raises an event
 * @param isOverrun whether a completion was lost for lack of room; it takes no more then
 */
public record CqSnapshot(
    List<WorkCompletion> completions, int cqe, boolean isArmed, boolean isOverrun) {}

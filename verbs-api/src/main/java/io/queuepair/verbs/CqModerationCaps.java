// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Limits of {@link CompletionQueue#modify} ({@code struct ibv_cq_moderation_caps}).
 *
 * @param maxCqCount largest number of completions to a notification
 * @param maxCqPeriod longest time to a notification, in microseconds
 */
public record CqModerationCaps(int maxCqCount, int maxCqPeriod) {
  /** No moderation. */
  public static final CqModerationCaps NONE = new CqModerationCaps(0, 0);
}

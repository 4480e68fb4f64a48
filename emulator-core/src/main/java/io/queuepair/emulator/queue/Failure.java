package io.queuepair.emulator.queue;

import io.queuepair.verbs.WcStatus;

/**
 * How a work request fails.
 *
 * @param status what the completion says
 * @param explanation why, in words: a sentence, and if that has a cause of its own, another
 */
public record Failure(WcStatus status, String explanation) {}

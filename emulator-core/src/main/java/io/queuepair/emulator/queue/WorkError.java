// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * The status and explanation of a failed work request.
 *
 * @param status what the completion says
 * @param explanation why, in words: a sentence, and if that has a cause of its own, another
 */
public record WorkError(WcStatus status, @Nullable String explanation) {}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.queue;

import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Status and explanation of a failed work request.
 *
 * @param status status of the completion
 * @param explanation reason in words, followed by the cause of the reason if there is one
 */
public record WorkError(WcStatus status, @Nullable String explanation) {}

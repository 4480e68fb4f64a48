// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;
import org.jspecify.annotations.Nullable;

/**
 * Event of an id for the layer above.
 *
 * @param listener listener whose backlog holds the id; null if none does
 * @param message message that arrived; null if none did
 * @param explanation cause of the event, in one or two sentences; may be empty
 */
public record CmEvent(
    CmEventType type,
    CmId id,
    @Nullable CmListener listener,
    @Nullable CmMessage message,
    String explanation) {}

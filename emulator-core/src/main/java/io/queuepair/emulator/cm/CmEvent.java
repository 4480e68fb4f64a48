// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMessage;
import org.jspecify.annotations.Nullable;

/**
 * An event of one end of a connection, for the layer above.
 *
 * @param listener to whom a request came; otherwise null
 * @param message what came; null if nothing did
 * @param explanation why it happened, in one sentence or two
 */
public record CmEvent(
    CmEventType type,
    CmId id,
    @Nullable CmListener listener,
    @Nullable CmMessage message,
    String explanation) {}

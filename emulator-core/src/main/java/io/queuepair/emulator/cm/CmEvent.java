// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmMad;
import org.jspecify.annotations.Nullable;

/**
 * An event of one end of a connection, for the layer above.
 *
 * @param listener to whom a request came; otherwise null
 * @param mad the message; null if none came
 * @param explanation why it happened, in one sentence or two
 */
public record CmEvent(
    CmEventType type,
    CmId id,
    @Nullable CmListener listener,
    @Nullable CmMad mad,
    String explanation) {}

// SPDX-License-Identifier: Apache-2.0
/**
 * Work queue entries and the rings that hold them: sends, receives, completions. Data structures
 * only; what happens to an entry is decided in {@code engine}. May use {@code wire}, {@code memory}
 * and {@code profile}.
 */
@NullMarked
package io.queuepair.emulator.queue;

import org.jspecify.annotations.NullMarked;

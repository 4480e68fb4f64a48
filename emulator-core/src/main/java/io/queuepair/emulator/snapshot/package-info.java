// SPDX-License-Identifier: Apache-2.0
/**
 * What queue pairs and queues hold at one moment, as values, for programs that show it. Knows the
 * verbs only; the device fills them in.
 */
@NullMarked
package io.queuepair.emulator.snapshot;

import org.jspecify.annotations.NullMarked;

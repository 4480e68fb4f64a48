// SPDX-License-Identifier: Apache-2.0
/**
 * What a device counts: packets, states, completions, the outcomes of the checks of requests, and
 * what each port sent and received.
 */
@NullMarked
package io.queuepair.emulator.engine.stats;

import org.jspecify.annotations.NullMarked;

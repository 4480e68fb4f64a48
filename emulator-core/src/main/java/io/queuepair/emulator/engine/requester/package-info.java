// SPDX-License-Identifier: Apache-2.0
/**
 * The sending half of a queue pair: segmentation, packets in flight, acknowledgements, retries. May
 * use {@code engine.context} and {@code engine.stats}; knows nothing of responders.
 */
@NullMarked
package io.queuepair.emulator.engine.requester;

import org.jspecify.annotations.NullMarked;

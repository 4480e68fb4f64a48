// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.util.List;

/**
 * A shared receive queue at one moment.
 *
 * @param receiveQueue {@code wr_id} of receives that nothing has taken, oldest first
 * @param srqLimit below how many receives it tells the application, once; 0 for never
 */
public record SrqSnapshot(List<Long> receiveQueue, int srqLimit) {}

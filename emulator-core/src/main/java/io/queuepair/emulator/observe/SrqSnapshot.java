// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import java.util.List;

/**
 * A shared receive queue at one moment.
 *
 * @param receiveQueue {@code wr_id} of receives that no message has consumed, oldest first
 * @param srqLimit number of receives below which SRQ_LIMIT_REACHED is raised once; 0 for never
 */
public record SrqSnapshot(List<Long> receiveQueue, int srqLimit) {}

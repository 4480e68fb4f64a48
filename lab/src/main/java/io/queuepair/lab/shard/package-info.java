// SPDX-License-Identifier: Apache-2.0
/**
 * Long runs divided into parts for several machines: the range of each part, and the sum of their
 * totals.
 */
package io.queuepair.lab.shard;

// SPDX-License-Identifier: Apache-2.0
/**
 * Long runs in parts, on several machines: which part is whose, and the sums of what they found.
 */
package io.queuepair.lab.shard;

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Result of tag matching for a message ({@code struct ibv_wc_tm_info}).
 *
 * @param tag its tag
 * @param priv data of the application, 32 bits
 */
public record WcTmInfo(long tag, int priv) {}

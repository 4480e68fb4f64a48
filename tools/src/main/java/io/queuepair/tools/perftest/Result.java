// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

/** What was measured with messages of one size. */
sealed interface Result permits BandwidthResult, LatencyResult {
  /** Bytes of one message. */
  long sizeBytes();
}

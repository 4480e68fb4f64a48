// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.Mtu;

/**
 * What both sides use: of the values of the two the larger buffers and the smaller path MTU.
 *
 * @param cycleBufferBytes over how many bytes the addresses of small messages go round
 * @param cacheLineBytes what addresses are aligned to
 * @param mtu path MTU
 */
record NegotiatedParameters(int cycleBufferBytes, int cacheLineBytes, Mtu mtu) {
  private static final int USUAL_PAGE_BYTES = 4096;
  private static final int USUAL_CACHE_LINE_BYTES = 64;

  static NegotiatedParameters proposal(Mtu mtu) {
    return new NegotiatedParameters(USUAL_PAGE_BYTES, USUAL_CACHE_LINE_BYTES, mtu);
  }

  NegotiatedParameters with(NegotiatedParameters other) {
    return new NegotiatedParameters(
        Math.max(cycleBufferBytes, other.cycleBufferBytes),
        Math.max(cacheLineBytes, other.cacheLineBytes),
        mtu.compareTo(other.mtu) <= 0 ? mtu : other.mtu);
  }

  /** What a message of a size needs, wherever in its buffer the peer puts it. */
  long bufferBytes(int sizeBytes) {
    return Math.max(sizeBytes, cycleBufferBytes);
  }
}

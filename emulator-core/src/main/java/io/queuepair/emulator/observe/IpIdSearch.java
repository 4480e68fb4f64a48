// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.wire.Icrc;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.RoceV2;
import io.queuepair.emulator.wire.Route;

/**
 * Finds the IPv4 identification of a received datagram from its ICRC: a socket does not show the
 * field, and a captured frame needs it for a valid ICRC. CRC is affine, so each bit of the
 * identification flips a fixed pattern of ICRC bits. The identification is the set of bits whose
 * patterns add up to the difference from the ICRC with identification 0.
 */
final class IpIdSearch {
  private static final int BITS = Short.SIZE;

  private final Icrc icrc = new Icrc();

  /** Returns the identification; 0 if none fits, as the datagram is corrupt or over IPv6. */
  int find(Route route, Payload payload) {
    int covered = payload.length() - RoceV2.ICRC_BYTES;
    if (route.isIpv6() || covered < RoceV2.BTH_BYTES) {
      return 0;
    }
    int withZero = compute(route, 0, payload, covered);
    int stored = payload.buffer().getInt(payload.offset() + covered);
    int difference = withZero ^ Integer.reverseBytes(stored);
    if (difference == 0) {
      return 0;
    }
    int[] patterns = new int[BITS];
    for (int bit = 0; bit < BITS; bit++) {
      patterns[bit] = withZero ^ compute(route, 1 << bit, payload, covered);
    }
    return solve(patterns, difference);
  }

  private int compute(Route route, int identification, Payload payload, int covered) {
    return icrc.compute(route, identification, payload.buffer(), payload.offset(), covered);
  }

  /** Gaussian elimination over GF(2): patterns that add up to the difference, as bits. */
  private static int solve(int[] patterns, int difference) {
    int[] chosen = new int[BITS];
    int rest = difference;
    int restChosen = 0;
    for (int i = 0; i < BITS; i++) {
      chosen[i] ^= 1 << i;
      int leading = Integer.highestOneBit(patterns[i]);
      for (int j = i + 1; j < BITS; j++) {
        if ((patterns[j] & leading) != 0) {
          patterns[j] ^= patterns[i];
          chosen[j] ^= chosen[i];
        }
      }
      if ((rest & leading) != 0) {
        rest ^= patterns[i];
        restChosen ^= chosen[i];
      }
    }
    return rest == 0 ? restChosen : 0;
  }
}

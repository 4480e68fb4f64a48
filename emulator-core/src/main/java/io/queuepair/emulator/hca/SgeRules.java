// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.memory.SgeArray;
import org.jspecify.annotations.Nullable;

/** Messages for refused scatter/gather lists. */
final class SgeRules {
  private SgeRules() {}

  static String tooMany(SgeArray sges, int limit) {
    return sges.size() + " scatter/gather entries are more than the limit of " + limit;
  }

  /** The first entry that holds bytes of its own instead of naming memory, or -1. */
  static int firstWithInlineData(SgeArray sges) {
    for (int i = 0; i < sges.size(); i++) {
      if (sges.isOwn(i)) {
        return i;
      }
    }
    return -1;
  }

  /** What is wrong with the length of an entry, in words, or null. */
  static @Nullable String negativeLength(SgeArray sges) {
    for (int i = 0; i < sges.size(); i++) {
      if (sges.length(i) < 0) {
        return "entry " + i + " has length " + sges.length(i) + ", below 0";
      }
    }
    return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import java.util.Set;

/** The checks of creating and modifying a shared receive queue, and their errnos. */
final class SrqRules {
  private static final String MODIFY = "ibv_modify_srq";

  private SrqRules() {}

  /** Refuses capacities that are out of range. */
  public static void checkCreation(String verb, SrqAttr attr, DeviceProfile profile) {
    check(verb, "max_wr", attr.maxWr(), 1, profile.limit(DeviceLimit.MAX_SRQ_WR));
    check(
        verb,
        "max_sge",
        attr.maxSge(),
        profile.has(Quirk.SRQ_ARMED_AT_CREATION) ? 0 : 1,
        profile.limit(DeviceLimit.MAX_SRQ_SGE));
  }

  /** Refuses a capacity or limit that is out of range; both are checked before either changes. */
  public static void checkModification(
      SharedReceiveRing queue, SrqAttr attr, Set<SrqAttrMask> mask, DeviceProfile profile) {
    boolean resizes = mask.contains(SrqAttrMask.MAX_WR);
    boolean arms = mask.contains(SrqAttrMask.LIMIT);
    int capacity = resizes ? attr.maxWr() : queue.ring().capacity();
    if (resizes) {
      long max = profile.limit(DeviceLimit.MAX_SRQ_WR);
      check(MODIFY, "max_wr", capacity, Math.max(1, queue.ring().size()), max);
    }
    int limit = arms ? attr.srqLimit() : queue.limit();
    check(MODIFY, "srq_limit", limit, 0, capacity);
  }

  private static void check(String verb, String name, int value, long min, long max) {
    if (value < min || value > max) {
      throw new VerbsException(
          Errno.EINVAL, verb, name + " " + value + " is not " + min + " to " + max);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import static io.queuepair.verbs.CreateCqAttrFlag.SINGLE_THREADED;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.CqModerationCaps;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.util.EnumSet;
import java.util.Set;

/** The checks of creating and modifying a completion queue, and their errnos. */
public final class CompletionQueueRules {
  private static final String RESIZE = "ibv_resize_cq";
  private static final String MODIFY = "ibv_modify_cq";

  /** Both values of {@code struct ibv_moderate_cq} have 16 bits. */
  private static final int MAX_MODERATION = 0xffff;

  private static final Set<CreateCqWcFlag> OFFERED_FIELDS = offeredFields();

  private CompletionQueueRules() {}

  private static Set<CreateCqWcFlag> offeredFields() {
    Set<CreateCqWcFlag> fields = EnumSet.copyOf(CreateCqWcFlag.standard());
    fields.add(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP);
    fields.add(CreateCqWcFlag.WITH_CVLAN);
    fields.add(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    return fields;
  }

  /** Refuses a capacity that is out of range. */
  public static void checkCreation(String verb, int cqe, DeviceProfile profile) {
    inRange(verb, cqe + " entries are", cqe, 1, profile.limit(DeviceLimit.MAX_CQE));
  }

  /** Refuses fields and properties of an extended queue that the device does not have. */
  public static void checkExtended(
      String verb,
      Set<CreateCqWcFlag> wcFlags,
      Set<CreateCqAttrFlag> flags,
      DeviceProfile profile) {
    boolean isPlain = profile.has(Quirk.NO_CQ_EXTENSIONS);
    offered(verb, wcFlags, isPlain ? CreateCqWcFlag.standard() : OFFERED_FIELDS);
    offered(
        verb, flags, isPlain ? EnumSet.of(SINGLE_THREADED) : EnumSet.allOf(CreateCqAttrFlag.class));
  }

  private static <T> void offered(String verb, Set<T> asked, Set<T> offered) {
    if (!offered.containsAll(asked)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, asked + " are not all offered: " + offered);
    }
  }

  /** Refuses a capacity that is out of range or below what is in the queue. */
  public static void checkResize(CompletionRing ring, int cqe, DeviceProfile profile) {
    checkUsable(RESIZE, ring);
    checkCreation(RESIZE, cqe, profile);
    if (cqe < ring.size()) {
      throw refusal(RESIZE, cqe + " entries do not hold the " + ring.size() + " not yet polled");
    }
  }

  /** What moderation can be asked for. */
  public static CqModerationCaps moderation(DeviceProfile profile) {
    return profile.has(Quirk.NO_CQ_EXTENSIONS)
        ? CqModerationCaps.NONE
        : new CqModerationCaps(MAX_MODERATION, MAX_MODERATION);
  }

  /** Refuses moderation that has no place in 16 bits, or that the device does not have. */
  public static void checkModeration(int count, int periodMicros, DeviceProfile profile) {
    if (profile.has(Quirk.NO_CQ_EXTENSIONS)) {
      throw new VerbsException(Errno.EOPNOTSUPP, MODIFY, "the device does not moderate events");
    }
    inRange(MODIFY, "a count of " + count + " is", count, 0, MAX_MODERATION);
    inRange(MODIFY, "a period of " + periodMicros + " us is", periodMicros, 0, MAX_MODERATION);
  }

  /** Refuses the use of a queue that has lost completions. */
  public static void checkUsable(String verb, CompletionRing ring) {
    if (ring.isOverrun()) {
      throw refusal(verb, "the completion queue overran and cannot be used any more");
    }
  }

  private static void inRange(String verb, String what, int value, long min, long max) {
    if (value < min || value > max) {
      throw refusal(verb, what + " not " + min + " to " + max);
    }
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}

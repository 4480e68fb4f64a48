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
import java.util.concurrent.TimeUnit;

/** The verbs on completion queues, their checks and their errnos. */
public final class CqVerbs {
  /** Both values of {@code struct ibv_moderate_cq} have 16 bits. */
  private static final int MAX_MODERATION = 0xffff;

  private static final Set<CreateCqWcFlag> OFFERED_FIELDS = offeredFields();

  private final DeviceProfile profile;
  private int queues;

  CqVerbs(DeviceProfile profile) {
    this.profile = profile;
  }

  /** Counts one more completion queue; returns its capacity, which may exceed the request. */
  public int create(String verb, int cqe) {
    checkCreation(verb, cqe);
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_CQ, queues);
    queues++;
    return CreationRules.held(cqe, profile);
  }

  public void resize(String verb, CompletionRing ring, int cqe) {
    checkResize(verb, ring, cqe);
    ring.resize(CreationRules.held(cqe, profile));
  }

  public void moderate(String verb, CompletionRing ring, int count, int periodMicros) {
    checkModeration(verb, count, periodMicros);
    ring.moderate(count, TimeUnit.MICROSECONDS.toNanos(periodMicros));
  }

  public void destroy() {
    queues--;
  }

  private static Set<CreateCqWcFlag> offeredFields() {
    Set<CreateCqWcFlag> wcFlags = EnumSet.copyOf(CreateCqWcFlag.standard());
    wcFlags.add(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP);
    wcFlags.add(CreateCqWcFlag.WITH_CVLAN);
    wcFlags.add(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    return wcFlags;
  }

  private void checkCreation(String verb, int cqe) {
    inRange(verb, cqe + " entries are", cqe, 1, profile.limit(DeviceLimit.MAX_CQE));
  }

  /** Refuses completion fields and creation flags that the device does not offer. */
  public void checkExtended(String verb, Set<CreateCqWcFlag> wcFlags, Set<CreateCqAttrFlag> flags) {
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
  private void checkResize(String verb, CompletionRing ring, int cqe) {
    checkUsable(verb, ring);
    checkCreation(verb, cqe);
    if (cqe < ring.size()) {
      throw refusal(verb, cqe + " entries do not hold the " + ring.size() + " not yet polled");
    }
  }

  static CqModerationCaps moderation(DeviceProfile profile) {
    return profile.has(Quirk.NO_CQ_EXTENSIONS)
        ? CqModerationCaps.NONE
        : new CqModerationCaps(MAX_MODERATION, MAX_MODERATION);
  }

  /** Refuses values that do not fit 16 bits; EOPNOTSUPP if the device has no moderation. */
  private void checkModeration(String verb, int count, int periodMicros) {
    if (profile.has(Quirk.NO_CQ_EXTENSIONS)) {
      throw new VerbsException(Errno.EOPNOTSUPP, verb, "the device does not moderate events");
    }
    inRange(verb, "a count of " + count + " is", count, 0, MAX_MODERATION);
    inRange(verb, "a period of " + periodMicros + " us is", periodMicros, 0, MAX_MODERATION);
  }

  /** Refuses a completion queue that has overrun. */
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

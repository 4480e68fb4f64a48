// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.engine.SrqTable;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.ReceiveReader;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.SharedReceiveRing;
import io.queuepair.emulator.queue.WqePool;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The verbs on shared receive queues, their checks and their errnos. */
public final class SrqVerbs {
  private final DeviceProfile profile;
  private final SrqTable srqTable;
  private final UsageListener usage;
  private final WqePool wqes;

  SrqVerbs(DeviceProfile profile, SrqTable srqTable, UsageListener usage, WqePool wqes) {
    this.profile = profile;
    this.srqTable = srqTable;
    this.usage = usage;
    this.wqes = wqes;
  }

  public SharedReceiveRing create(
      String verb,
      int domain,
      SharedReceiveRing.@Nullable XrcBinding xrc,
      SrqAttr attr,
      Consumer<EventType> events) {
    checkCreation(verb, attr);
    CreationRules.checkRoom(verb, profile, DeviceLimit.MAX_SRQ, srqTable.size());
    SharedReceiveRing.Capacity capacity =
        new SharedReceiveRing.Capacity(
            CreationRules.held(attr.maxWr(), profile), Math.max(1, attr.maxSge()));
    SharedReceiveRing ring =
        srqTable.add(number -> new SharedReceiveRing(number, domain, xrc, capacity, events));
    if (profile.has(Quirk.SRQ_ARMED_AT_CREATION)) {
      ring.arm(attr.srqLimit());
    }
    return ring;
  }

  public void modify(String verb, SharedReceiveRing ring, SrqAttr attr, Set<SrqAttrMask> mask) {
    checkModification(verb, ring, attr, mask);
    if (mask.contains(SrqAttrMask.MAX_WR)) {
      ring.ring().resize(CreationRules.held(attr.maxWr(), profile));
    }
    if (mask.contains(SrqAttrMask.LIMIT)) {
      ring.arm(attr.srqLimit());
    }
  }

  /** Posts receives; on a refusal those before the bad one are posted. */
  public <S> void post(SharedReceiveRing ring, int count, S source, ReceiveReader<S> reader) {
    for (int index = 0; index < count; index++) {
      RecvWqe wqe = wqes.takeReceive();
      reader.read(source, index, wqe);
      ReceiveRules.checkShared(ring, wqe, index);
      usage.posted(ring, wqe);
      ring.ring().push(wqe);
    }
  }

  private void checkCreation(String verb, SrqAttr attr) {
    CreationRules.checkRange(
        verb, "max_wr", attr.maxWr(), 1, profile.limit(DeviceLimit.MAX_SRQ_WR));
    CreationRules.checkRange(
        verb,
        "max_sge",
        attr.maxSge(),
        profile.has(Quirk.SRQ_ARMED_AT_CREATION) ? 0 : 1,
        profile.limit(DeviceLimit.MAX_SRQ_SGE));
  }

  /** Refuses a capacity or limit out of range; both are checked before either is changed. */
  private void checkModification(
      String verb, SharedReceiveRing ring, SrqAttr attr, Set<SrqAttrMask> mask) {
    boolean resizes = mask.contains(SrqAttrMask.MAX_WR);
    boolean arms = mask.contains(SrqAttrMask.LIMIT);
    int capacity = resizes ? attr.maxWr() : ring.ring().capacity();
    if (resizes) {
      long max = profile.limit(DeviceLimit.MAX_SRQ_WR);
      CreationRules.checkRange(verb, "max_wr", capacity, Math.max(1, ring.ring().size()), max);
    }
    int limit = arms ? attr.srqLimit() : ring.limit();
    CreationRules.checkRange(verb, "srq_limit", limit, 0, capacity);
  }
}

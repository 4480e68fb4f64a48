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

/** The verbs on shared receive queues. */
public final class SrqVerbs {
  private final DeviceProfile profile;
  private final ResourceLimits resourceLimits;
  private final SrqTable queues;
  private final UsageListener usage;
  private final WqePool wqes;

  SrqVerbs(DeviceProfile profile, SrqTable queues, UsageListener usage, WqePool wqes) {
    this.profile = profile;
    this.queues = queues;
    this.usage = usage;
    this.wqes = wqes;
    resourceLimits = new ResourceLimits(profile);
  }

  public SharedReceiveRing create(
      String verb,
      int domain,
      SharedReceiveRing.@Nullable XrcBinding xrc,
      SrqAttr attr,
      Consumer<EventType> events) {
    SrqRules.checkCreation(verb, attr, profile);
    resourceLimits.check(verb, DeviceLimit.MAX_SRQ, queues.size());
    SharedReceiveRing.Capacity capacity =
        new SharedReceiveRing.Capacity(
            CreationRules.held(attr.maxWr(), profile), Math.max(1, attr.maxSge()));
    SharedReceiveRing ring =
        queues.add(number -> new SharedReceiveRing(number, domain, xrc, capacity, events));
    if (profile.has(Quirk.SRQ_ARMED_AT_CREATION)) {
      ring.arm(attr.srqLimit());
    }
    return ring;
  }

  public void modify(SharedReceiveRing ring, SrqAttr attr, Set<SrqAttrMask> mask) {
    SrqRules.checkModification(ring, attr, mask, profile);
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
}

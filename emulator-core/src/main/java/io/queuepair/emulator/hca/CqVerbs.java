// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.hca;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.DeviceLimit;
import java.util.concurrent.TimeUnit;

/** The verbs on completion queues. */
public final class CqVerbs {
  private final DeviceProfile profile;
  private final ResourceLimits resourceLimits;
  private int queues;

  CqVerbs(DeviceProfile profile) {
    this.profile = profile;
    resourceLimits = new ResourceLimits(profile);
  }

  /** Takes one of the completion queues; returns its capacity, possibly more than asked for. */
  public int create(String verb, int cqe) {
    CompletionQueueRules.checkCreation(verb, cqe, profile);
    resourceLimits.check(verb, DeviceLimit.MAX_CQ, queues);
    queues++;
    return CreationRules.held(cqe, profile);
  }

  public void resize(CompletionRing ring, int cqe) {
    CompletionQueueRules.checkResize(ring, cqe, profile);
    ring.resize(CreationRules.held(cqe, profile));
  }

  public void moderate(CompletionRing ring, int count, int periodMicros) {
    CompletionQueueRules.checkModeration(count, periodMicros, profile);
    ring.moderate(count, TimeUnit.MICROSECONDS.toNanos(periodMicros));
  }

  public void destroy() {
    queues--;
  }
}

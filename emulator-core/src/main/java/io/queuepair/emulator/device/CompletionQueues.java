package io.queuepair.emulator.device;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.qp.CompletionQueueRules;
import io.queuepair.emulator.qp.CreationRules;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.DeviceLimit;
import java.util.concurrent.TimeUnit;

/** The verbs on completion queues. */
final class CompletionQueues {
  private final DeviceProfile profile;
  private final Allowance allowance;
  private int queues;

  CompletionQueues(DeviceProfile profile) {
    this.profile = profile;
    allowance = new Allowance(profile);
  }

  /** Takes one of the completion queues; returns its capacity, maybe more than asked for. */
  int create(String verb, int cqe) {
    CompletionQueueRules.checkCreation(verb, cqe, profile);
    allowance.check(verb, DeviceLimit.MAX_CQ, queues);
    queues++;
    return CreationRules.held(cqe, profile);
  }

  void resize(CompletionRing ring, int cqe) {
    CompletionQueueRules.checkResize(ring, cqe, profile);
    ring.resize(CreationRules.held(cqe, profile));
  }

  void moderate(CompletionRing ring, int count, int periodMicros) {
    CompletionQueueRules.checkModeration(count, periodMicros, profile);
    ring.moderate(count, TimeUnit.MICROSECONDS.toNanos(periodMicros));
  }

  void destroy() {
    queues--;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An extended completion queue. It is polled in batches, one at a time. */
final class EmulatedExtendedCompletionQueue extends EmulatedCompletionQueue
    implements ExtendedCompletionQueue {

  private static final String START = "ibv_start_poll";

  private final Set<CreateCqWcFlag> wcFlags;
  private final BatchSession session;

  private final Cqe currentCqe = new Cqe();

  private final WaitDescription startDescription = new WaitDescription(START, this::awaited);

  public EmulatedExtendedCompletionQueue(
      EmulatedContext context,
      Step step,
      CqInitAttrEx initAttr,
      @Nullable EmulatedCompletionChannel channel) {
    super(
        context,
        step,
        new CqAttributes(
            initAttr.cqe(), channel, initAttr.flags().contains(CreateCqAttrFlag.IGNORE_OVERRUN)));
    wcFlags = Set.copyOf(initAttr.wcFlags());
    session =
        new BatchSession("polls", !initAttr.flags().contains(CreateCqAttrFlag.SINGLE_THREADED));
  }

  @Override
  public PollBatch startPoll(PollCqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver().failAsPlanned(START);
    if (attr.compMask() != 0) {
      throw new VerbsException(
          Errno.EINVAL, START, "comp_mask " + attr.compMask() + " is not 0, and no bit is known");
    }
    session.open(START);
    EmulatedPollBatch batch = new EmulatedPollBatch(this, session, currentCqe);
    boolean isLast = driver().waiters().areDismissed();
    boolean found = false;
    WaitQueue waiters = driver().waiters();
    try {
      found = batch.take(START);
      if (!found && isLast) {
        driver().checkPresent(START);
      }
      found = found || (waiters.pollMakesProgress(START) && batch.take(START));
      if (found) {
        waiters.foundSomething();
      } else {
        waiters.foundNothing(startDescription);
      }
    } finally {
      if (!found) {
        batch.endEmpty();
      }
    }
    return batch;
  }

  boolean has(CreateCqWcFlag flag) {
    return wcFlags.contains(flag);
  }

  @Override
  public int poll(WorkCompletion[] completions) {
    session.open(POLL);
    try {
      return super.poll(completions);
    } finally {
      session.close();
    }
  }

  @Override
  public void close() {
    if (session.isOpen()) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_cq", "a batch of polls is open");
    }
    super.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import java.util.List;
import java.util.Optional;

/** Sleeps until a completion queue announces that something has come. */
final class EventWait implements CompletionWait {
  private final CompletionChannel channel;
  private final List<CompletionQueue> queues;
  private boolean isArmed;

  EventWait(CompletionChannel channel, List<CompletionQueue> queues) {
    this.channel = channel;
    this.queues = queues;
  }

  @Override
  public void renew() {}

  /** First arms the queue, as what came before is not announced; only then it sleeps. */
  @Override
  public void pause(String what) {
    if (!isArmed) {
      queues.forEach(queue -> queue.reqNotify(false));
      isArmed = true;
      return;
    }
    Optional<CompletionQueue> announced = channel.getCqEvent(BackoffWait.LONGEST);
    if (announced.isEmpty()) {
      throw BackoffWait.tooLong(what);
    }
    announced.get().ackEvents(1);
    isArmed = false;
  }
}

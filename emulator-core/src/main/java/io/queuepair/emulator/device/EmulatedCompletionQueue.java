package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayDeque;

/** A completion queue; its entries are in a {@link CompletionRing}. */
final class EmulatedCompletionQueue implements CompletionQueue, Owned {
  private final EmulatedContext context;
  private final EmulatedCompletionChannel channel;
  private final CompletionRing ring;
  private final Lifetime lifetime = new Lifetime("completion queue");

  /** Notifications handed out and not acknowledged; guarded by the driver's lock. */
  private int unacknowledged;

  EmulatedCompletionQueue(EmulatedContext context, int cqe, EmulatedCompletionChannel channel) {
    this.context = context;
    this.channel = channel;
    ring = context.driver().call(hca -> create(hca, cqe));
  }

  private CompletionRing create(Hca hca, int cqe) {
    AsyncEvents.Source events = context.events().new Source();
    events.setAbout(type -> AsyncEvent.of(type, this));
    if (channel == null) {
      return new CompletionRing(hca.createCq(cqe), new ArrayDeque<>(), events);
    }
    channel.check("ibv_create_cq");
    CompletionRing created = new CompletionRing(hca.createCq(cqe), channel.announced(), events);
    channel.add(created, this);
    return created;
  }

  CompletionRing ring() {
    return ring;
  }

  Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public int cqe() {
    return ring.capacity();
  }

  @Override
  public int poll(WorkCompletion[] into) {
    int taken = take(into);
    boolean mayFindMore = taken == 0 && into.length > 0 && context.driver().pollMakesProgress();
    return mayFindMore ? take(into) : taken;
  }

  private int take(WorkCompletion[] into) {
    return context
        .driver()
        .call(
            hca -> {
              lifetime.check("ibv_poll_cq");
              int taken = 0;
              while (taken < into.length && !ring.isEmpty()) {
                into[taken] = ring.poll();
                taken++;
              }
              return taken;
            });
  }

  WorkCompletion awaitOne() {
    return context.driver().await("ibv_poll_cq", ring::poll, null).orElseThrow();
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    if (channel == null) {
      throw new VerbsException(
          Errno.EINVAL, "ibv_req_notify_cq", "the completion queue has no channel");
    }
    context.driver().step(hca -> ring.arm(solicitedOnly));
  }

  /** Counts a notification that is being handed out; under the driver's lock. */
  void handOut() {
    unacknowledged++;
  }

  @Override
  public void ackEvents(int events) {
    context.driver().step(hca -> unacknowledged -= Math.min(events, unacknowledged));
  }

  @Override
  public void close() {
    context.awaitAcknowledgements("ibv_destroy_cq", this);
    context
        .driver()
        .step(
            hca -> {
              if (unacknowledged > 0) {
                throw new VerbsException(
                    Errno.EBUSY,
                    "ibv_destroy_cq",
                    unacknowledged + " notification(s) are not acknowledged");
              }
              if (lifetime.end("ibv_destroy_cq")) {
                release(hca);
              }
            });
  }

  @Override
  public void discard(Hca hca) {
    if (lifetime.endAnyway()) {
      release(hca);
    }
  }

  private void release(Hca hca) {
    hca.destroyCq();
    if (channel != null) {
      channel.remove(this);
    }
    context.forget(this);
    context.events().forget(this);
  }
}

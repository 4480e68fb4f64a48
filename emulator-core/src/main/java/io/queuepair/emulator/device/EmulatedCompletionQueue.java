// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.hca.CqVerbs;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.emulator.queue.CqBuffer;
import io.queuepair.emulator.queue.CqModerator;
import io.queuepair.emulator.queue.MappableCq;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A completion queue. Its completions are in a {@link CompletionRing}. */
sealed class EmulatedCompletionQueue extends ContextObject implements CompletionQueue, MappableCq
    permits EmulatedExtendedCompletionQueue {
  static final String POLL = "ibv_poll_cq";

  private static final String DESTROY = "ibv_destroy_cq";

  private final @Nullable EmulatedCompletionChannel channel;
  private final CompletionRing ring;
  private final WaitDescription waitDescription = new WaitDescription(POLL, this::awaited);

  /** Notifications taken and not acknowledged; guarded by the driver's lock. */
  private AsyncEvents.UnackedEvents unackedEvents = AsyncEvents.UnackedEvents.NONE;

  public EmulatedCompletionQueue(EmulatedContext context, Step step, CqAttributes attributes) {
    super(context, "completion queue", needsOf(attributes.channel()));
    channel = attributes.channel();
    ring = create(step, attributes);
  }

  private static List<ObjectLifecycle> needsOf(@Nullable EmulatedCompletionChannel channel) {
    return channel == null ? List.of() : List.of(channel.lifecycle());
  }

  /**
   * Attributes of a new completion queue.
   *
   * @param channel channel for notifications, or null
   * @param ignoresOverrun whether a new completion replaces the oldest one if the queue is full
   */
  public record CqAttributes(
      int cqe, @Nullable EmulatedCompletionChannel channel, boolean ignoresOverrun) {}

  private CompletionRing create(Step step, CqAttributes attributes) {
    if (channel != null) {
      step.check(channel.lifecycle());
    }
    AsyncEvents.EventSource events = context().events().new EventSource();
    events.setAbout(type -> AsyncEvent.of(type, this));
    int capacity = step.hca().completionQueues().create(step.verb(), attributes.cqe());
    CqModerator moderator = step.hca().engine().moderator();
    if (channel == null) {
      return new CompletionRing(
          capacity, attributes.ignoresOverrun(), moderator, new ArrayDeque<>(), events);
    }
    CompletionRing newRing =
        new CompletionRing(
            capacity,
            attributes.ignoresOverrun(),
            moderator,
            channel.pendingNotifications(),
            events);
    channel.add(newRing, this);
    return newRing;
  }

  public final CompletionRing ring() {
    return ring;
  }

  @Override
  public int cqe() {
    try (Step step = driver().call()) {
      return ring.capacity();
    }
  }

  @Override
  public void resize(int cqe) {
    driver().beginVerb("ibv_resize_cq");
    driver().awaitSent("ibv_resize_cq");
    try (Step step = driver().resumeCall("ibv_resize_cq")) {
      step.check(lifecycle());
      ring.reap();
      step.hca().completionQueues().resize(step.verb(), ring, cqe);
    }
  }

  @Override
  public void modify(int count, int periodMicros) {
    try (Step step = driver().step("ibv_modify_cq", lifecycle())) {
      step.hca().completionQueues().moderate(step.verb(), ring, count, periodMicros);
    }
  }

  @Override
  public final void map(CqBuffer buffer) {
    try (Step step = driver().call()) {
      step.check(lifecycle());
      ring.map(buffer);
    }
  }

  @Override
  public int poll(WorkCompletion[] completions) {
    int most = Objects.requireNonNull(completions, "into").length;
    driver().failAsPlanned(POLL);
    boolean isLast = driver().waiters().areDismissed(); // Read first, to miss no completion.
    int taken = takeIfAny(completions);
    WaitQueue waiters = driver().waiters();
    if (taken == 0 && most > 0) {
      if (isLast) {
        driver().checkPresent(POLL);
      }
      taken = waiters.pollMakesProgress(POLL) ? takeIfAny(completions) : 0;
    }
    if (taken > 0) {
      waiters.foundSomething();
    } else if (most > 0) {
      waiters.foundNothing(waitDescription);
    }
    return taken;
  }

  private int takeIfAny(WorkCompletion[] completions) {
    if (ring.looksEmpty()) {
      lifecycle().check(POLL);
      return 0;
    }
    try (Step step = driver().resumeCall(POLL)) {
      step.check(lifecycle());
      return ring.poll(completions);
    }
  }

  public final Optional<WorkCompletion> await(@Nullable Duration timeout) {
    return driver().waiters().await(waitDescription, this::takeOne, timeout);
  }

  private @Nullable WorkCompletion takeOne() {
    lifecycle().check(POLL);
    return ring.poll();
  }

  final String awaited() {
    String users;
    try (Step step = driver().call()) {
      users = step.hca().engine().blockedWork().usersOf(ring);
    }
    String what =
        users.isEmpty()
            ? "a completion in a queue that no queue pair uses"
            : "a completion of " + users;
    return ring.isOverrun() ? what + " in a queue that has overrun and takes no more" : what;
  }

  @Override
  public void reqNotify(boolean solicitedOnly) {
    try (Step step = driver().step("ibv_req_notify_cq")) {
      if (channel == null) {
        throw step.refusal(Errno.EINVAL, "the completion queue has no channel");
      }
      step.check(lifecycle());
      CqVerbs.checkUsable(step.verb(), ring);
      ring.arm(solicitedOnly);
      if (!step.hca().profile().has(Quirk.MISSED_COMPLETIONS_UNANNOUNCED)) {
        ring.announceUnpolled();
      }
    }
  }

  /** Counts a notification that is taken; under the driver's lock. */
  final void handOut() {
    unackedEvents = unackedEvents.oneMore();
  }

  @Override
  public void ackEvents(int events) {
    try (Step step = driver().resume("ibv_ack_cq_events")) {
      if (events < 0 || events > unackedEvents.count()) {
        throw step.refusal(
            Errno.EINVAL,
            events + " notifications, but " + unackedEvents.count() + " are not acknowledged");
      }
      unackedEvents = unackedEvents.less(events);
    }
  }

  @Override
  public int notificationsOut() {
    return unackedEvents.count();
  }

  @Override
  public List<String> unsettled() {
    List<String> sentences = new ArrayList<>();
    int taken = unackedEvents.count();
    if (taken > 0) {
      sentences.add(
          Quantity.of(taken, "completion event")
              + " taken and not acknowledged (ibv_ack_cq_events), for which ibv_destroy_cq waits");
    }
    if (ring.waitsInVain()) {
      sentences.add(
          "armed, with "
              + Quantity.of(ring.size(), "completion")
              + " not polled; no event comes for what was there before the arming, or is not"
              + " solicited");
    }
    return sentences;
  }

  @Override
  public final String toString() {
    return context().describe(this, "CQ", ring.capacity() + " entries");
  }

  @Override
  public void close() {
    driver().failAsPlanned(DESTROY);
    try (Step step = driver().resume(DESTROY)) {
      lifecycle().checkUnused(DESTROY);
    }
    context().awaitAcknowledgements(DESTROY, this);
    context().awaitNone(DESTROY, "notification(s)", () -> unackedEvents);
    context().end(DESTROY, this);
  }

  @Override
  public void release(Hca hca) {
    hca.completionQueues().destroy();
    hca.usage().destroyed(ring);
    ring.destroy();
    if (channel != null) {
      channel.remove(this);
    }
  }
}

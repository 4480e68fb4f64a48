// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A completion channel: the completion queues with a pending event, oldest first. */
final class EmulatedCompletionChannel extends ContextObject implements CompletionChannel {
  private static final String VERB = "ibv_get_cq_event";

  /** Rings with a pending event, at most once for each arming. Guarded by the driver's lock. */
  private final Queue<CompletionRing> pendingRings = new ArrayDeque<>();

  /** Queues by ring. Their order differs between runs: they are only looked up and counted. */
  private final IdentityHashMap<CompletionRing, EmulatedCompletionQueue> queues =
      new IdentityHashMap<>();

  /** Takes an event, as a call of the listener; null without a listener. */
  private @Nullable Supplier<@Nullable Runnable> listening;

  public EmulatedCompletionChannel(EmulatedContext context) {
    super(context, "completion channel", List.of());
  }

  Queue<CompletionRing> pendingNotifications() {
    return pendingRings;
  }

  void add(CompletionRing ring, EmulatedCompletionQueue cq) {
    queues.put(ring, cq);
  }

  /** Removes a destroyed queue and its notifications. */
  void remove(EmulatedCompletionQueue cq) {
    queues.remove(cq.ring());
    pendingRings.removeIf(ring -> ring == cq.ring());
  }

  @Override
  public CompletionQueue getCqEvent() {
    driver().failAsPlanned(VERB);
    return driver().waiters().await(waitDescription(), this::take, null).orElseThrow();
  }

  @Override
  public Optional<CompletionQueue> getCqEvent(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    driver().failAsPlanned(VERB);
    return driver().waiters().await(waitDescription(), this::take, timeout);
  }

  @Override
  public void onCqEvent(Consumer<CompletionQueue> listener) {
    Objects.requireNonNull(listener, "listener");
    try (Step step = driver().step(VERB, lifecycle())) {
      stopListening();
      listening = () -> takeFor(listener);
      driver().listeners().add(listening);
    }
  }

  private void stopListening() {
    driver().listeners().remove(listening);
  }

  private @Nullable Runnable takeFor(Consumer<CompletionQueue> listener) {
    CompletionRing ring = pendingRings.poll();
    if (ring == null) {
      return null;
    }
    EmulatedCompletionQueue cq = queues.get(ring);
    return () -> listener.accept(cq);
  }

  private WaitDescription waitDescription() {
    return new WaitDescription(VERB, this::awaited);
  }

  /** Describes what a wait waits for, by numbers, as the queues have no reproducible order. */
  private String awaited() {
    try (Step step = driver().call()) {
      long armed = queues.keySet().stream().filter(CompletionRing::isArmed).count();
      return "an announcement of one of "
          + queues.size()
          + " completion queues, of which "
          + armed
          + " have asked for one (ibv_req_notify_cq)";
    }
  }

  private @Nullable CompletionQueue take() {
    lifecycle().check(VERB);
    CompletionRing ring = pendingRings.poll();
    if (ring == null) {
      return null;
    }
    EmulatedCompletionQueue cq = queues.get(ring);
    cq.handOut();
    return cq;
  }

  @Override
  public void release(Hca hca) {
    stopListening();
  }

  @Override
  public String toString() {
    return context().describe(this, "completion channel");
  }

  @Override
  public void close() {
    context().destroy("ibv_destroy_comp_channel", this);
  }
}

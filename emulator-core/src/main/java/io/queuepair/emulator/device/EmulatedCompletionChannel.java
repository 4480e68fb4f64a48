package io.queuepair.emulator.device;

import io.queuepair.emulator.device.EmulatedContext.Owned;
import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;

/** A completion channel: the rings that announced themselves, in order. */
final class EmulatedCompletionChannel implements CompletionChannel, Owned {
  private static final String VERB = "ibv_get_cq_event";

  private final EmulatedContext context;
  private final Lifetime lifetime = new Lifetime("completion channel");

  /** At most one entry for each arming; guarded, as all here, by the driver's lock. */
  private final Queue<CompletionRing> announced = new ArrayDeque<>();

  /** Only looked up, never iterated. */
  private final IdentityHashMap<CompletionRing, EmulatedCompletionQueue> queues =
      new IdentityHashMap<>();

  EmulatedCompletionChannel(EmulatedContext context) {
    this.context = context;
  }

  Queue<CompletionRing> announced() {
    return announced;
  }

  /** Refuses a verb on a destroyed channel; called under the driver's lock, as all here. */
  void check(String verb) {
    lifetime.check(verb);
  }

  void add(CompletionRing ring, EmulatedCompletionQueue cq) {
    lifetime.addUser();
    queues.put(ring, cq);
  }

  /** Notifications of a destroyed queue vanish. */
  void remove(EmulatedCompletionQueue cq) {
    lifetime.removeUser();
    queues.remove(cq.ring());
    announced.removeIf(ring -> ring == cq.ring());
  }

  @Override
  public Lifetime lifetime() {
    return lifetime;
  }

  @Override
  public Context context() {
    return context;
  }

  @Override
  public CompletionQueue getCqEvent() {
    context.driver().failAsPlanned(VERB);
    return context.driver().waiters().await(purpose(), this::take, null).orElseThrow();
  }

  @Override
  public Optional<CompletionQueue> getCqEvent(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    context.driver().failAsPlanned(VERB);
    return context.driver().waiters().await(purpose(), this::take, timeout);
  }

  private Purpose purpose() {
    return new Purpose(VERB, () -> context.driver().call(hca -> awaited()));
  }

  /** Only counts: the order of the queues is nobody's business. */
  private String awaited() {
    long armed = queues.keySet().stream().filter(CompletionRing::isArmed).count();
    return "an announcement of one of "
        + queues.size()
        + " completion queues, of which "
        + armed
        + " have asked for one (ibv_req_notify_cq)";
  }

  private CompletionQueue take() {
    lifetime.check(VERB);
    CompletionRing ring = announced.poll();
    if (ring == null) {
      return null;
    }
    EmulatedCompletionQueue cq = queues.get(ring);
    cq.handOut();
    return cq;
  }

  @Override
  public String toString() {
    return context.describe(this, "completion channel");
  }

  @Override
  public void close() {
    context.driver().failAsPlanned("ibv_destroy_comp_channel");
    context.destroy("ibv_destroy_comp_channel", this);
  }
}

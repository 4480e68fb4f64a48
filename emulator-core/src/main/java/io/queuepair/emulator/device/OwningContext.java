// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.engine.Quantity;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.function.Supplier;

/** A context as the owner of the objects that were made from it. */
abstract class OwningContext implements Context {
  /** How long the destruction of an object waits for other threads to acknowledge its events. */
  private static final Duration ACKNOWLEDGE_TIMEOUT = Duration.ofSeconds(10);

  private final HcaDriver driver;
  private final AsyncEvents events;
  private final ObjectLifecycle lifecycle = new ObjectLifecycle("context");

  /** All that was made from this context and where, oldest first; guarded by the driver's lock. */
  private final Map<ContextObject, CallSite> objects = new LinkedHashMap<>();

  protected OwningContext(HcaDriver driver, Step step) {
    this.driver = driver;
    events = new AsyncEvents(step.hca().engine().statistics());
  }

  /** Whether it is still open. */
  protected final ObjectLifecycle lifecycle() {
    return lifecycle;
  }

  public HcaDriver driver() {
    return driver;
  }

  /**
   * What an object is called in logs and debuggers. Takes no lock and never fails: what it says of
   * a state that changes meanwhile is a glance.
   */
  public String describe(ContextObject object, String what, Object... details) {
    StringJoiner text = new StringJoiner(", ", what + " of " + device().name() + " (", ")");
    text.setEmptyValue(what + " of " + device().name());
    for (Object detail : details) {
      text.add(detail.toString());
    }
    return object.lifecycle().hasEnded() ? text.add("destroyed").toString() : text.toString();
  }

  public AsyncEvents events() {
    return events;
  }

  /** Refuses to destroy an object, if need be after waiting, while its events are not settled. */
  public void awaitAcknowledgements(String verb, Object element) {
    awaitNone(verb, "asynchronous event(s)", () -> events.takenOf(element));
  }

  /**
   * Waits for other threads to acknowledge the events of an object, if there can be any.
   *
   * @param left what is left, under the driver's lock
   * @throws VerbsException EBUSY if they do not, or if the calling thread took all of them itself
   */
  public void awaitNone(String verb, String what, Supplier<AsyncEvents.UnackedEvents> left) {
    AsyncEvents.UnackedEvents atFirst;
    try (Step step = driver.resumeCall(verb)) {
      atFirst = left.get();
    }
    if (atFirst.count() == 0) {
      return;
    }
    WaitDescription waitDescription = new WaitDescription(verb, () -> what + " to be acknowledged");
    boolean settled =
        !atFirst.isCallers()
            && driver.waiters().canBlock()
            && driver
                .waiters()
                .await(
                    waitDescription,
                    () -> left.get().count() == 0 ? this : null,
                    ACKNOWLEDGE_TIMEOUT)
                .isPresent();
    if (!settled) {
      String whose = atFirst.isCallers() ? ": this thread took them" : "";
      throw new VerbsException(
          Errno.EBUSY, verb, atFirst.count() + " " + what + " of it are not acknowledged" + whose);
    }
  }

  /** Remembers an object that a step has made, to be destroyed with the context. */
  public <T extends ContextObject> T adopt(Step step, T object) {
    objects.put(object, step.hca().usage().caller());
    return object;
  }

  /** Destroys an object that is not in use, for its application; only the first time does that. */
  public void destroy(String verb, ContextObject object) {
    driver.failAsPlanned(verb);
    end(verb, object);
  }

  /** Destroys an object that has events, which are to be acknowledged first. */
  public void destroyAcknowledged(String verb, ContextObject object) {
    driver.failAsPlanned(verb);
    awaitAcknowledgements(verb, object);
    end(verb, object);
  }

  /** Does what is left of {@link #destroy} when nothing is to be waited for any more. */
  public void end(String verb, ContextObject object) {
    try (Step step = driver.resume(verb)) {
      if (object.lifecycle().end(verb)) {
        remove(step.hca(), object);
      }
    }
  }

  /** Lists business that the program has left open, a sentence each; under the driver's lock. */
  public final List<String> unsettledObjects() {
    List<String> sentences = new ArrayList<>();
    for (ContextObject object : objects.keySet()) {
      List<String> unsettled = new ArrayList<>(object.unsettled());
      int taken = events.takenOf(object).count();
      if (taken > 0) {
        unsettled.add(
            Quantity.of(taken, "asynchronous event")
                + " taken and not acknowledged (ibv_ack_async_event), for which its destruction"
                + " waits");
      }
      unsettled.forEach(sentence -> sentences.add(object + ": " + sentence));
    }
    return sentences;
  }

  /** Lets go of an object that has ended; under the driver's lock. */
  public void remove(Hca hca, ContextObject object) {
    object.release(hca);
    objects.remove(object);
    events.forget(object);
  }

  /** Destroys an object even if it is in use. */
  private void discard(Hca hca, ContextObject object) {
    if (object.lifecycle().endAnyway()) {
      remove(hca, object);
    }
  }

  /** Tells what the application should have closed; under the driver's lock. */
  public void reportLeaked(UsageListener usage) {
    objects.forEach(
        (object, created) -> {
          String what = object.lifecycle().what();
          usage.leaked(what, created);
          int taken = object.notificationsOut() + events.takenOf(object).count();
          if (taken > 0) {
            usage.leftUnacknowledged(what, taken, created);
          }
        });
  }

  /** Destroys all objects, newest first; under the driver's lock. */
  protected final void discardAll(Hca hca) {
    List<ContextObject> newestFirst = new ArrayList<>(objects.keySet());
    Collections.reverse(newestFirst);
    newestFirst.forEach(object -> discard(hca, object));
  }
}

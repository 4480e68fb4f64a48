// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.DeviceStatistics;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.EventType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The asynchronous events of one context, oldest first. Guarded by the driver's lock. */
public final class AsyncEvents {
  /** Maximum number of events kept for an application that reads none; later ones are lost. */
  private static final int MAX_EVENTS = 1024;

  private final Deque<AsyncEvent> waitingEvents = new ArrayDeque<>();
  private final DeviceStatistics statistics;

  /** Events taken and not acknowledged, by object; only looked up, never iterated. */
  private final IdentityHashMap<Object, UnackedEvents> unackedEvents = new IdentityHashMap<>();

  AsyncEvents(DeviceStatistics statistics) {
    this.statistics = statistics;
  }

  /**
   * Events that were taken and are not acknowledged.
   *
   * @param by the thread that took them, or null if several did
   */
  public record UnackedEvents(int count, @Nullable Thread by) {
    public static final UnackedEvents NONE = new UnackedEvents(0, null);

    public UnackedEvents oneMore() {
      Thread now = Thread.currentThread();
      return new UnackedEvents(count + 1, count == 0 || now.equals(by) ? now : null);
    }

    public UnackedEvents less(int acknowledged) {
      return new UnackedEvents(count - acknowledged, by);
    }

    /** Whether the calling thread took them all, so that no other thread can acknowledge them. */
    public boolean isCallers() {
      return Thread.currentThread().equals(by);
    }
  }

  public void raise(AsyncEvent event) {
    statistics.raised(event.eventType());
    if (waitingEvents.size() < MAX_EVENTS) {
      waitingEvents.addLast(event);
    }
  }

  /** Takes the oldest event, or null; a listener acknowledges none. */
  public @Nullable AsyncEvent takeForListener() {
    return waitingEvents.pollFirst();
  }

  /** Takes the oldest event, which is to be acknowledged, or null. */
  public @Nullable AsyncEvent take() {
    AsyncEvent event = waitingEvents.pollFirst();
    if (event != null && elementOf(event) != null) {
      unackedEvents.put(elementOf(event), takenOf(elementOf(event)).oneMore());
    }
    return event;
  }

  public void acknowledge(AsyncEvent event) {
    Object element = elementOf(event);
    if (element != null) {
      unackedEvents.computeIfPresent(
          element, (key, unacked) -> unacked.count() == 1 ? null : unacked.less(1));
    }
  }

  /** Events of an object that were taken and are not acknowledged. */
  UnackedEvents takenOf(@Nullable Object element) {
    return unackedEvents.getOrDefault(element, UnackedEvents.NONE);
  }

  void forget(Object element) {
    waitingEvents.removeIf(event -> elementOf(event) == element);
    unackedEvents.remove(element);
  }

  /** Object whose destruction waits for the acknowledgement of an event, or null. */
  private static @Nullable Object elementOf(AsyncEvent event) {
    if (event instanceof AsyncEvent.QpEvent qpEvent) {
      return qpEvent.qp();
    }
    if (event instanceof AsyncEvent.CqEvent cqEvent) {
      return cqEvent.cq();
    }
    if (event instanceof AsyncEvent.WqEvent wqEvent) {
      return wqEvent.wq();
    }
    return event instanceof AsyncEvent.SrqEvent srqEvent ? srqEvent.srq() : null;
  }

  /** Raises the events of one object; keeps those that come before the application has it. */
  public final class EventSource implements Consumer<EventType> {
    private List<EventType> earlyTypes = List.of();
    private @Nullable Function<EventType, AsyncEvent> about;

    public void setAbout(Function<EventType, AsyncEvent> newAbout) {
      about = newAbout;
      earlyTypes.forEach(this);
      earlyTypes = List.of();
    }

    @Override
    public void accept(EventType type) {
      if (about == null) {
        earlyTypes = new ArrayList<>(earlyTypes);
        earlyTypes.add(type);
      } else {
        raise(about.apply(type));
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Queue of the events of some ids, oldest first. Guarded by the lock of the host. */
final class EmulatedEventChannel implements RdmaEventChannel {
  private static final String GET = "rdma_get_cm_event";

  private final EmulatedHost host;

  /** Devices that ids of the channel may use. */
  private final List<HostDevice> devices;

  /** Runs for each event of a channel that is read ahead; null for other channels. */
  private final @Nullable Runnable arrived;

  private final Deque<EmulatedRdmaCmEvent> events = new ArrayDeque<>();

  /** Name of the object whose destruction ended the channel; null before. */
  private @Nullable String destroyed;

  EmulatedEventChannel(EmulatedHost host, List<HostDevice> devices, @Nullable Runnable arrived) {
    this.host = host;
    this.devices = devices;
    this.arrived = arrived;
  }

  EmulatedHost host() {
    return host;
  }

  List<HostDevice> devices() {
    return devices;
  }

  /** Checks that the channel was not destroyed; under the lock. */
  void check(String verb) {
    if (destroyed != null) {
      throw new VerbsException(Errno.EINVAL, verb, "the " + destroyed + " was destroyed");
    }
  }

  /** Ends the waits for events, as the only id of the channel is destroyed; under the lock. */
  void endWithId() {
    destroyed = "id";
  }

  /** Adds an event; false if the channel was destroyed, so that no thread would take the event. */
  boolean add(EmulatedRdmaCmEvent event) {
    if (destroyed == null) {
      events.addLast(event);
      if (arrived != null) {
        arrived.run();
      }
    }
    return destroyed == null;
  }

  /** Removes and returns the events that meet a condition and were not taken. */
  List<EmulatedRdmaCmEvent> removeIf(Predicate<EmulatedRdmaCmEvent> eventCondition) {
    List<EmulatedRdmaCmEvent> removedEvents = new ArrayList<>();
    for (EmulatedRdmaCmEvent event : events) {
      if (eventCondition.test(event)) {
        removedEvents.add(event);
      }
    }
    events.removeAll(removedEvents);
    return removedEvents;
  }

  @Override
  public RdmaCmId createId(RdmaPortSpace ps) {
    Objects.requireNonNull(ps, "ps");
    return host.createId(ps, this);
  }

  @Override
  public RdmaCmEvent getCmEvent() {
    return get(null).orElseThrow();
  }

  @Override
  public Optional<RdmaCmEvent> getCmEvent(Duration timeout) {
    Objects.requireNonNull(timeout, "timeout");
    return get(timeout).map(event -> event);
  }

  /** Takes the oldest event and carries out its action; without a timeout it waits for ever. */
  Optional<EmulatedRdmaCmEvent> get(@Nullable Duration timeout) {
    WaitDescription waitDescription = new WaitDescription(GET, () -> "a connection manager event");
    Optional<EmulatedRdmaCmEvent> event = host.driver().await(waitDescription, this::take, timeout);
    event.ifPresent(EmulatedRdmaCmEvent::carryOutAction);
    return event;
  }

  private @Nullable EmulatedRdmaCmEvent take() {
    check(GET);
    EmulatedRdmaCmEvent event = events.pollFirst();
    while (event != null && event.isPassedOver()) {
      event = events.pollFirst();
    }
    if (event == null) {
      host.driver().checkPresent(GET);
      return null;
    }
    event.take();
    if (arrived == null && event.listenerContext() != null) {
      host.driver().engine().taken(event.context().cm);
    }
    return event;
  }

  @Override
  public void close() {
    try (HostDriver.Step step = host.driver().step("rdma_destroy_event_channel")) {
      destroyed = "event channel";
      host.refuseRequests(removeIf(event -> true));
    }
  }

  @Override
  public String toString() {
    return "event channel" + (destroyed != null ? " (destroyed)" : "");
  }
}

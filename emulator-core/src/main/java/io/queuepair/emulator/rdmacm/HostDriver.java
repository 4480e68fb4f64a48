// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.emulator.cm.CmEvent;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmOutgoing;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmServices;
import io.queuepair.emulator.cm.CmState;
import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import io.queuepair.emulator.fabric.BlockedWorkReporter;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.queue.Timed;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the connection manager of one host: owns the lock that guards all of it, reads the clock,
 * moves messages between the devices and the engine, and follows deadlines.
 */
final class HostDriver implements BlockedWorkReporter {
  /** Maximum number of messages in the queue; further ones are dropped. */
  private static final int MAX_ARRIVED = 4096;

  /**
   * Maximum number of messages that are taken before the network has its turn: packets of
   * connections wait meanwhile, and a message takes up to a millisecond while the code is new to
   * the JVM.
   */
  private static final int MAX_AT_ONCE = 16;

  /** Maximum number of sentences about ids, for readability; half of the maximum for all. */
  private static final int MAX_SENTENCES = 8;

  /** Verb of steps that are no function of the library. */
  private static final String OWN_STEP = "rdma_cm";

  private final EmulatedHost host;
  private final ReentrantLock lock = new ReentrantLock();
  private final Scheduler scheduler;
  private final WaitQueue waiters;
  private final Scheduler.Timer arrivalTimer;
  private final Scheduler.Timer deadlineTimer;
  private final List<HostDevice> devices = new ArrayList<>();
  private final CmEngine engine;

  /** Events of devices, oldest first; guarded by itself, as devices hold their locks. */
  private final Deque<HostEvent> events = new ArrayDeque<>();

  /** Receiver of the reasons for rejected requests; null if there is none. */
  private volatile @Nullable Consumer<String> explanations;

  /** Reasons for rejected requests, reported once the lock is free. */
  private final List<String> refusals = new ArrayList<>();

  private boolean isClosed;

  /** Event of a device: a message, or a change of the device itself. */
  private record HostEvent(
      HostDevice device,
      @Nullable AhAttr from,
      @Nullable CmMessage message,
      @Nullable EventType eventType) {}

  /**
   * Creates a driver and registers it with the devices.
   *
   * @param host receiver of events of the engine and of changes of devices, under the lock
   * @param services listeners of the host
   */
  HostDriver(
      EmulatedHost host, Scheduler scheduler, CmServices services, List<HcaDevice> hcaDevices) {
    this.host = host;
    this.scheduler = scheduler;
    waiters = new WaitQueue(lock, scheduler);
    arrivalTimer = scheduler.timer(this::takeArrivals);
    deadlineTimer = scheduler.timer(this::expire);
    // The numbers differ from those of an earlier run, which a peer may remember; in simulated time
    // they are the same.
    long seed = scheduler.epochNanos() + scheduler.nowNanos() ^ hcaDevices.get(0).guid();
    engine = new CmEngine(services, new Random(seed));
    lock.lock(); // The devices deliver messages from now on.
    try {
      for (HcaDevice device : hcaDevices) {
        devices.add(new HostDevice(devices.size(), device, this));
      }
    } finally {
      lock.unlock();
    }
    scheduler.blockedWork().add(this);
  }

  /** Queues a message that a device has received; false if the queue is full. */
  boolean queue(HostDevice device, AhAttr from, CmMessage message) {
    return queue(new HostEvent(device, from, message, null));
  }

  /** Queues the removal of a device or a change of its addresses; other events are ignored. */
  void queue(HostDevice device, EventType eventType) {
    if (eventType == EventType.DEVICE_FATAL || eventType == EventType.GID_CHANGE) {
      queue(new HostEvent(device, null, null, eventType));
    }
  }

  private boolean queue(HostEvent event) {
    synchronized (events) {
      if (events.size() >= MAX_ARRIVED && event.message() != null) {
        return false;
      }
      events.addLast(event);
    }
    arrivalTimer.arm(scheduler.nowNanos());
    return true;
  }

  private @Nullable HostEvent pollArrived() {
    synchronized (events) {
      return events.pollFirst();
    }
  }

  private void takeArrivals() {
    List<String> said;
    try (Step step = step(OWN_STEP)) {
      takeSome(step.engine());
      said = List.copyOf(refusals);
      refusals.clear();
    }
    Consumer<String> wanted = explanations;
    if (wanted != null) {
      said.forEach(wanted);
    }
    if (hasArrived()) {
      arrivalTimer.arm(scheduler.nowNanos());
    }
  }

  private void takeSome(CmEngine cm) {
    for (int taken = 0; taken < MAX_AT_ONCE; taken++) {
      HostEvent next = pollArrived();
      if (next == null) {
        return;
      }
      take(cm, next);
      settle();
    }
  }

  private boolean hasArrived() {
    synchronized (events) {
      return !events.isEmpty();
    }
  }

  /** Records why a request of a peer was rejected, if there is a receiver; under the lock. */
  void explain(String refusal) {
    if (explanations != null) {
      refusals.add(refusal);
    }
  }

  void explainRefusals(Consumer<String> newExplanations) {
    explanations = newExplanations;
  }

  private void take(CmEngine cm, HostEvent event) {
    if (event.message() != null) {
      CmPeer from = new CmPeer(event.device().index(), event.from());
      cm.receive(from, event.message(), nowNanos());
      return;
    }
    if (event.eventType() == EventType.DEVICE_FATAL) {
      event.device().markRemoved();
    }
    host.changed(event.device());
  }

  private void expire() {
    try (Step step = step(OWN_STEP)) {
      step.engine().expire(nowNanos());
      host.addressResolver().expire(nowNanos());
    }
  }

  /**
   * Begins a step of a library function: takes the lock. Closing the step carries out its
   * consequences.
   *
   * @throws VerbsException EPERM if the network belongs to another thread
   */
  Step step(String verb) {
    waiters.beginVerb(verb);
    lock.lock();
    return new Step(verb);
  }

  /**
   * Begins a step of a library function on an id.
   *
   * @throws VerbsException EPERM as {@link #step(String)}; EINVAL if the id was destroyed; ENODEV
   *     as {@link #checkPresent}
   */
  Step step(String verb, IdContext id) {
    Step step = step(verb);
    boolean isOpen = false;
    try {
      if (id.state() == IdState.DESTROYED) {
        throw step.refusal(Errno.EINVAL, "the id was destroyed");
      }
      checkPresent(verb);
      isOpen = true;
      return step;
    } finally {
      if (!isOpen) {
        step.close();
      }
    }
  }

  /** Scope of a library function, under the lock. */
  final class Step implements AutoCloseable {
    private final String verb;

    private Step(String verb) {
      this.verb = verb;
    }

    String verb() {
      return verb;
    }

    CmEngine engine() {
      return engine;
    }

    VerbsException refusal(Errno errno, String text) {
      return new VerbsException(errno, verb, text);
    }

    /** Refuses the function with EINVAL unless a condition holds. */
    void check(boolean condition, String otherwise) {
      if (!condition) {
        throw refusal(Errno.EINVAL, otherwise);
      }
    }

    /** Ends the step: sends messages, reports events, and wakes threads that wait. */
    @Override
    public void close() {
      try {
        settle();
      } finally {
        lock.unlock();
        waiters.release();
      }
    }
  }

  /** Sends messages, reports events, follows the next deadline, and wakes waiting threads. */
  private void settle() {
    boolean moves = !isClosed;
    while (moves) {
      moves = false;
      for (CmEvent event = engine.pollEvent(); event != null; event = engine.pollEvent()) {
        host.dispatch().accept(event);
        moves = true;
      }
      for (CmOutgoing next = engine.pollOutgoing(); next != null; next = engine.pollOutgoing()) {
        send(next);
        moves = true;
      }
    }
    followDeadline();
    waiters.wake();
  }

  private void send(CmOutgoing outgoing) {
    HostDevice device = devices.get(outgoing.to().device());
    if (!device.isRemoved()) {
      device.agent().send(outgoing.to().ahAttr(), outgoing.message());
    }
  }

  private void followDeadline() {
    if (isClosed || !hasDeadline()) {
      deadlineTimer.disarm();
      return;
    }
    deadlineTimer.arm(Timed.earlierNanos(engine, host.addressResolver()));
  }

  private boolean hasDeadline() {
    return engine.hasDeadline() || host.addressResolver().hasDeadline();
  }

  /**
   * Waits until something can be taken.
   *
   * @param take takes it, under the lock; null while there is nothing
   * @param timeout maximum wait, or null for ever
   */
  <T> Optional<T> await(
      WaitDescription waitDescription, Supplier<@Nullable T> take, @Nullable Duration timeout) {
    return waiters.await(waitDescription, take, timeout);
  }

  /** Whether other threads may act while the caller waits. */
  boolean canRelyOnOthers() {
    return waiters.canBlock();
  }

  /** Checks that the host has a device that was not removed. @throws VerbsException ENODEV */
  void checkPresent(String verb) {
    boolean isPresent = false;
    for (HostDevice device : devices) {
      isPresent |= !device.isRemoved();
    }
    if (!isPresent || waiters.areDismissed()) {
      throw new VerbsException(Errno.ENODEV, verb, "the devices of the host are gone");
    }
  }

  CmEngine engine() {
    return engine;
  }

  List<HostDevice> devices() {
    return devices;
  }

  long nowNanos() {
    return scheduler.nowNanos();
  }

  /**
   * Ends all connections.
   *
   * @param isElsewhere whether the device of an address stays when this host ends
   */
  void close(Predicate<InetAddress> isElsewhere) {
    lock.lock();
    try {
      if (!isClosed) {
        leave(isElsewhere);
      }
      isClosed = true;
      deadlineTimer.disarm();
      arrivalTimer.disarm();
      waiters.dismiss();
    } finally {
      lock.unlock();
    }
    devices.forEach(HostDevice::close);
    scheduler.blockedWork().remove(this);
  }

  private void leave(Predicate<InetAddress> isElsewhere) {
    engine.shutDown(nowNanos());
    for (CmOutgoing next = engine.pollOutgoing(); next != null; next = engine.pollOutgoing()) {
      if (isElsewhere.test(next.to().gid().toAddress())) {
        send(next);
      }
    }
  }

  @Override
  public List<String> describeBlockedWork() {
    lock.lock();
    try {
      List<String> sentences = new ArrayList<>();
      host.describeIds().stream().limit(MAX_SENTENCES).forEach(sentences::add);
      for (CmId id : engine.ids()) {
        boolean waits = !id.isDestroyed() && id.peer() != null && id.state() != CmState.IDLE;
        if (sentences.size() < 2 * MAX_SENTENCES && waits) {
          sentences.add(
              "rdma_cm: " + id + " with " + id.peer() + ": waits for " + id.state().waitsFor());
        }
      }
      return sentences;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public long progressCount() {
    lock.lock();
    try {
      return engine.progress();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean hasPendingProgress() {
    lock.lock();
    try {
      return hasDeadline();
    } finally {
      lock.unlock();
    }
  }
}

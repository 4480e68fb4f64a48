// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.emulator.cm.CmEvent;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmOutgoing;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmServices;
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
 * Runs the communication manager of one host: owns the lock under which all of it is touched, reads
 * the clock, moves messages between the devices and the engine, and follows deadlines.
 */
final class HostDriver implements BlockedWorkReporter {
  /** Messages that have arrived and wait for their turn, at most; further ones are dropped. */
  private static final int MAX_ARRIVED = 4096;

  /**
   * Messages that are taken before the network has its turn: packets of connections wait meanwhile,
   * and a message takes up to a millisecond while the code is new to the JVM.
   */
  private static final int MAX_AT_ONCE = 16;

  /** Ends of connections, and listeners, that are described; more are too many to read. */
  private static final int MAX_SENTENCES = 8;

  /** Name of steps that are no function of the library. */
  private static final String OWN_STEP = "rdma_cm";

  private final EmulatedHost host;
  private final ReentrantLock lock = new ReentrantLock();
  private final Scheduler scheduler;
  private final WaitQueue waiters;
  private final Scheduler.Timer arrivalTimer;
  private final Scheduler.Timer deadlineTimer;
  private final List<HostDevice> devices = new ArrayList<>();
  private final CmEngine engine;

  /** Reports of devices, oldest first; guarded by itself, as devices hold their locks. */
  private final Deque<HostEvent> events = new ArrayDeque<>();

  /** Listener for the reasons of rejected requests; null if there is none. */
  private volatile @Nullable Consumer<String> explanations;

  /** Why requests were rejected, until the lock is free. */
  private final List<String> refusals = new ArrayList<>();

  private boolean isClosed;

  /** A report of a device: a message, or a change of the device itself. */
  private record HostEvent(
      HostDevice device,
      @Nullable AhAttr from,
      @Nullable CmMessage message,
      @Nullable EventType eventType) {}

  /**
   * Takes devices into a host.
   *
   * @param host takes events of the engine and changes of devices, under the lock
   * @param services who listens
   */
  HostDriver(
      EmulatedHost host, Scheduler scheduler, CmServices services, List<HcaDevice> hcaDevices) {
    this.host = host;
    this.scheduler = scheduler;
    waiters = new WaitQueue(lock, scheduler);
    arrivalTimer = scheduler.timer(this::takeArrivals);
    deadlineTimer = scheduler.timer(this::expire);
    // Not those of an earlier run, which a peer may remember; the same in simulated time.
    long seed = scheduler.epochNanos() + scheduler.nowNanos() ^ hcaDevices.get(0).guid();
    engine = new CmEngine(services, new Random(seed));
    lock.lock(); // Messages come in already.
    try {
      for (HcaDevice device : hcaDevices) {
        devices.add(new HostDevice(devices.size(), device, this));
      }
    } finally {
      lock.unlock();
    }
    scheduler.blockedWork().add(this);
  }

  /** Queues a message that a device has received; false if there are too many already. */
  boolean queue(HostDevice device, AhAttr from, CmMessage message) {
    return queue(new HostEvent(device, from, message, null));
  }

  /** Queues a change of a device. */
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

  /** Tells why a request of a peer was rejected, if someone wants to know; under the lock. */
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
   * Opens a step of a function of the library: takes the lock. When the step is closed, what
   * follows from it is done.
   *
   * @throws VerbsException EPERM if the network belongs to another thread
   */
  Step step(String verb) {
    waiters.beginVerb(verb);
    lock.lock();
    return new Step(verb);
  }

  /**
   * Opens a step of a function of an id.
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

  /** The scope of a function of the library, under the lock. */
  final class Step implements AutoCloseable {
    private final String verb;

    private Step(String verb) {
      this.verb = verb;
    }

    /** The name of the function, for refusals. */
    String verb() {
      return verb;
    }

    CmEngine engine() {
      return engine;
    }

    /** A refusal of the function, to be thrown. */
    VerbsException refusal(Errno errno, String text) {
      return new VerbsException(errno, verb, text);
    }

    /** Refuses the function with EINVAL unless a condition holds. */
    void check(boolean condition, String otherwise) {
      if (!condition) {
        throw refusal(Errno.EINVAL, otherwise);
      }
    }

    /** Ends the step: messages leave, events come, and threads that wait look again. */
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

  /** Sends pending messages, reports events, and follows the next deadline. */
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
   * Waits for something.
   *
   * @param take takes it, under the lock; null while there is nothing
   * @param timeout how long at most, or null for ever
   */
  <T> Optional<T> await(
      WaitDescription waitDescription, Supplier<@Nullable T> take, @Nullable Duration timeout) {
    return waiters.await(waitDescription, take, timeout);
  }

  /** Whether other threads may do something while the caller waits. */
  boolean canRelyOnOthers() {
    return waiters.canBlock();
  }

  /**
   * Refuses a function when the devices are gone.
   *
   * @throws VerbsException ENODEV
   */
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
   * @param isElsewhere whether a device of an address stays when this host ends
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
        if (sentences.size() < 2 * MAX_SENTENCES && !id.isDestroyed() && id.peer() != null) {
          sentences.add("rdma_cm: " + id + " with " + id.peer() + ": " + reason(id));
        }
      }
      return sentences;
    } finally {
      lock.unlock();
    }
  }

  private static String reason(CmId id) {
    return "waits for " + id.state().waitsFor();
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

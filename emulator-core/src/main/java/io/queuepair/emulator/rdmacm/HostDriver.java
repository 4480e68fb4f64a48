// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import io.queuepair.emulator.cm.CmEngine;
import io.queuepair.emulator.cm.CmEvent;
import io.queuepair.emulator.cm.CmId;
import io.queuepair.emulator.cm.CmOutgoing;
import io.queuepair.emulator.cm.CmPeer;
import io.queuepair.emulator.cm.CmServices;
import io.queuepair.emulator.device.CmMadAgent;
import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.device.WaitDescription;
import io.queuepair.emulator.device.WaitQueue;
import io.queuepair.emulator.fabric.BlockedWorkReporter;
import io.queuepair.emulator.fabric.Scheduler;
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

  private final ReentrantLock lock = new ReentrantLock();
  private final Scheduler scheduler;
  private final WaitQueue waiters;
  private final Scheduler.Timer arrivals;
  private final Scheduler.Timer deadlines;
  private final List<HostDevice> devices = new ArrayList<>();
  private final CmEngine engine;
  private final Resolutions resolutions = new Resolutions();
  private final Consumer<CmEvent> dispatch;
  private final Consumer<HostDevice> changes;
  private final Supplier<List<String>> ids;

  /** Reports of devices, oldest first; guarded by itself, as devices hold their locks. */
  private final Deque<HostEvent> arrived = new ArrayDeque<>();

  /** Listener for the reasons of rejected requests; null if there is none. */
  private volatile @Nullable Consumer<String> explanations;

  /** Why requests were rejected, until the lock is free. */
  private final List<String> refusals = new ArrayList<>();

  private boolean isClosed;

  /** A report of a device: a message, or a change of the device itself. */
  private record HostEvent(
      @Nullable HostDevice device,
      @Nullable AhAttr from,
      @Nullable CmMessage message,
      @Nullable EventType change) {}

  /**
   * Takes devices into a host.
   *
   * @param services who listens
   * @param dispatch takes events of the engine, under the lock
   * @param changes takes devices whose addresses have changed, or that are gone, under the lock
   * @param ids what ids that listen wait for, and events that were not acknowledged, in sentences;
   *     asked under the lock
   */
  HostDriver(
      Scheduler scheduler,
      CmServices services,
      Consumer<CmEvent> dispatch,
      Consumer<HostDevice> changes,
      Supplier<List<String>> ids,
      List<HcaDevice> emulated) {
    this.scheduler = scheduler;
    this.dispatch = dispatch;
    this.changes = changes;
    this.ids = ids;
    waiters = new WaitQueue(lock, scheduler);
    arrivals = scheduler.timer(this::takeArrivals);
    deadlines = scheduler.timer(this::expire);
    // Not those of an earlier run, which a peer may remember; the same in simulated time.
    long seed = scheduler.epochNanos() + scheduler.nowNanos() ^ emulated.get(0).guid();
    engine = new CmEngine(services, new Random(seed));
    for (HcaDevice device : emulated) {
      ReceiverOfDevice receiver = new ReceiverOfDevice();
      HostDevice added = new HostDevice(devices.size(), device, receiver);
      receiver.device = added;
      devices.add(added);
    }
    scheduler.blockedWork().add(this);
  }

  /** Queues what one device tells. */
  private final class ReceiverOfDevice implements CmMadAgent.Receiver {
    private volatile @Nullable HostDevice device;

    @Override
    public boolean take(AhAttr from, CmMessage message) {
      return queue(new HostEvent(device, from, message, null));
    }

    @Override
    public void changed(EventType event) {
      if (event == EventType.DEVICE_FATAL || event == EventType.GID_CHANGE) {
        queue(new HostEvent(device, null, null, event));
      }
    }
  }

  private boolean queue(HostEvent arrival) {
    synchronized (arrived) {
      if (arrived.size() >= MAX_ARRIVED && arrival.message() != null) {
        return false;
      }
      arrived.addLast(arrival);
    }
    arrivals.arm(scheduler.nowNanos());
    return true;
  }

  private @Nullable HostEvent pollArrived() {
    synchronized (arrived) {
      return arrived.pollFirst();
    }
  }

  private void takeArrivals() {
    List<String> said = new ArrayList<>();
    step(
        () -> {
          takeSome();
          said.addAll(refusals);
          refusals.clear();
        });
    Consumer<String> wanted = explanations;
    if (wanted != null) {
      said.forEach(wanted);
    }
    if (hasArrived()) {
      arrivals.arm(scheduler.nowNanos());
    }
  }

  private void takeSome() {
    for (int taken = 0; taken < MAX_AT_ONCE; taken++) {
      HostEvent next = pollArrived();
      if (next == null) {
        return;
      }
      take(next);
      settle();
    }
  }

  private boolean hasArrived() {
    synchronized (arrived) {
      return !arrived.isEmpty();
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

  private void take(HostEvent arrival) {
    if (arrival.device() == null) {
      return; // It came while the device was being registered.
    }
    if (arrival.message() != null) {
      CmPeer from = new CmPeer(arrival.device().index(), arrival.from());
      engine.receive(from, arrival.message(), nowNanos());
      return;
    }
    if (arrival.change() == EventType.DEVICE_FATAL) {
      arrival.device().markRemoved();
    }
    changes.accept(arrival.device());
  }

  private void expire() {
    step(
        () -> {
          engine.expire(nowNanos());
          resolutions.expire(nowNanos());
        });
  }

  /** Runs something under the lock, and what follows from it. */
  private void step(Runnable body) {
    call(
        "rdma_cm",
        () -> {
          body.run();
          return null;
        });
  }

  /**
   * Runs a function of the library.
   *
   * @throws VerbsException EPERM if the network belongs to another thread
   */
  <T> T call(String verb, Supplier<T> body) {
    waiters.beginVerb(verb);
    try {
      lock.lock();
      try {
        try {
          return body.get();
        } finally {
          settle();
        }
      } finally {
        lock.unlock();
      }
    } finally {
      waiters.release();
    }
  }

  /** The same without a result. */
  void run(String verb, Runnable body) {
    call(
        verb,
        () -> {
          body.run();
          return null;
        });
  }

  /** Sends pending messages, reports events, and follows the next deadline. */
  private void settle() {
    boolean moves = !isClosed;
    while (moves) {
      moves = false;
      for (CmEvent event = engine.pollEvent(); event != null; event = engine.pollEvent()) {
        dispatch.accept(event);
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
      device.agent().send(outgoing.to().address(), outgoing.message());
    }
  }

  private void followDeadline() {
    boolean hasAny = engine.hasDeadline() || resolutions.hasDeadline();
    if (isClosed || !hasAny) {
      deadlines.disarm();
      return;
    }
    long next = engine.hasDeadline() ? engine.nextDeadlineNanos() : resolutions.nextDeadlineNanos();
    if (resolutions.hasDeadline() && resolutions.nextDeadlineNanos() - next < 0) {
      next = resolutions.nextDeadlineNanos();
    }
    deadlines.arm(next);
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
    if (waiters.areDismissed() || devices.stream().allMatch(HostDevice::isRemoved)) {
      throw new VerbsException(Errno.ENODEV, verb, "the devices of the host are gone");
    }
  }

  CmEngine engine() {
    return engine;
  }

  Resolutions resolutions() {
    return resolutions;
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
      deadlines.disarm();
      arrivals.disarm();
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
      ids.get().stream().limit(MAX_SENTENCES).forEach(sentences::add);
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
      return engine.hasDeadline() || resolutions.hasDeadline();
    } finally {
      lock.unlock();
    }
  }
}

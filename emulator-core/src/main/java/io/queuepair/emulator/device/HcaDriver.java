// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.engine.Engine;
import io.queuepair.emulator.engine.Explanations;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.PacketEnvelope;
import io.queuepair.emulator.fabric.ResponderResources;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.faults.DeviceFaults;
import io.queuepair.emulator.hca.Hca;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.Port;
import io.queuepair.emulator.hca.Ports;
import io.queuepair.emulator.hca.ReregMrRequest;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.PortFrame;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.TransmitUnit;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one {@link Hca} on a {@link Fabric}; the only class that knows both. It owns the device's
 * lock, reads the clock once for each step, and moves packets between the adapter and its links. No
 * lock of another device is taken under this one.
 */
public final class HcaDriver implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HcaDriver.class);

  /** Verb name in errors of steps that belong to no verb. */
  private static final String NO_VERB = "verbs";

  /** Longest wait of a verb for posted requests to be sent; only a slow peer or link exceeds it. */
  private static final Duration SEND_TIMEOUT = Duration.ofMillis(200);

  private final ReentrantLock lock = new EventuallyFairLock();

  private final Scheduler scheduler;
  private final WaitQueue waiters;
  private final DeviceTimer timer;
  private final PacketCodec codec = new PacketCodec();
  private final Staging staging = new Staging(this::ownPayloads);
  private final TxPaths txPaths;
  private final LostPackets lostPackets;
  private final ResponderResources responderResources;
  private final Hca hca;

  /** Range of the random offset of the first queue pair number; half of all are above it. */
  private static final int QPN_RANGE = 1 << 23;

  private final DeviceFaults faults;
  private final RxPath rxPath;
  private final FabricAttachments attachments;
  private final Predicate<InetAddress> isOurs = this::has;
  private final EventListeners listeners = new EventListeners();

  /** Whether the constructor is done: packets that arrive earlier are dropped. */
  private volatile boolean isAttached;

  /** Number of notifications when waiting threads were last woken. */
  private long seenNotifications;

  /** Step object for steps that are within no other: it is reused, to avoid allocation. */
  private final Step outermostStep = new Step();

  /**
   * Attaches a device to a network.
   *
   * @param addresses addresses by port, which become the GID tables; the first port has at least
   *     one
   * @throws FabricException if the network refuses an address
   */
  public HcaDriver(
      Fabric fabric,
      List<List<InetAddress>> addresses,
      DeviceProfile profile,
      DeviceFaults faults) {
    this.faults = faults;
    scheduler = fabric.scheduler();
    waiters = new WaitQueue(lock, scheduler);
    timer = new DeviceTimer(scheduler.timer(this::expire));
    List<InetAddress> own = addresses.stream().flatMap(List::stream).toList();
    List<Link> links = attach(fabric, addresses);
    lock.lock(); // The links deliver packets already.
    try {
      List<TxPath> paths = new ArrayList<>();
      for (int i = 0; i < links.size(); i++) {
        paths.add(newTxPath(own.get(i), links.get(i), fabric));
      }
      txPaths = new TxPaths(paths);
      int mtuBytes = fabric.mtuBytes(own.get(0));
      List<Port> ports = new ArrayList<>();
      for (List<InetAddress> ofPort : addresses) {
        ports.add(new Port(profile, ports.size() + 1, ofPort, fabric, mtuBytes));
      }
      SendWindowConfig sendWindow =
          profile.sendWindow().within(fabric.receiveBufferBytes(own.get(0)));
      lostPackets = fabric.lostPackets();
      responderResources = fabric.responderResources();
      hca =
          new Hca(
              profile.withPacing(sendWindow),
              new Ports(profile, ports),
              lostPackets,
              responderResources,
              staging,
              txPaths::haveRoom);
      numberQueuePairs(own);
      rxPath = new RxPath(hca, codec, txPaths, lostPackets);
      attachments = new FabricAttachments(this, fabric, txPaths);
      isAttached = true;
    } finally {
      lock.unlock();
    }
    if (fabric.hasSegment()) {
      joinSegment(fabric, addresses);
    }
  }

  TxPath newTxPath(InetAddress address, Link link, Fabric fabric) {
    return new TxPath(address, link, fabric.form(), staging);
  }

  /** Lets packets in flight copy the payload that they refer to. */
  private void ownPayloads() {
    txPaths.ownPayloads();
  }

  /**
   * Begins with a random queue pair number in real time. A peer may remember queue pairs of an
   * earlier process at the same address, which was killed: it refuses a new one of the same number
   * as stale. In virtual time the numbers are the same in every run.
   */
  private void numberQueuePairs(List<InetAddress> own) {
    if (scheduler.epochNanos() != 0) {
      long seed = scheduler.epochNanos() + scheduler.nowNanos() ^ own.hashCode();
      hca.engine().numberFrom(Engine.FIRST_QPN + new Random(seed).nextInt(QPN_RANGE));
    }
  }

  private List<Link> attach(Fabric fabric, List<List<InetAddress>> addresses) {
    List<Link> links = new ArrayList<>();
    try {
      for (int i = 0; i < addresses.size(); i++) {
        for (InetAddress address : addresses.get(i)) {
          links.add(fabric.attach(address, new PortStation(this, i + 1)));
        }
      }
    } catch (FabricException e) {
      links.forEach(Link::close);
      throw e;
    }
    return links;
  }

  /** Joins the Ethernet segment once for each port, by its first address. */
  private static void joinSegment(Fabric fabric, List<List<InetAddress>> addresses) {
    for (List<InetAddress> ofPort : addresses) {
      if (!ofPort.isEmpty()) {
        fabric.joinSegment(ofPort.get(0));
      }
    }
  }

  /**
   * Begins a verb that does something before its first step, which {@link #resume} then opens.
   *
   * @throws VerbsException if a fault plan says so; ENODEV if the device is closed
   */
  public void beginVerb(String verb) {
    failAsPlanned(verb);
    checkPresent(verb);
  }

  /**
   * Begins a verb that is allowed even after the device was closed: it destroys something, or takes
   * what is there already.
   *
   * @throws VerbsException if a fault plan says so; EPERM in virtual time, if another thread is
   *     inside the network
   */
  public void failAsPlanned(String verb) {
    waiters.beginVerb(verb);
    waiters.release();
    DeviceFaults.VerbFailure failure = faults.refusalOf(verb, isOurs);
    if (failure != null) {
      annotate(verb + " fails with " + failure.errno() + ": " + failure.text());
      throw refusal(verb, failure.errno(), failure.text());
    }
  }

  /**
   * Refuses a verb on a device that is closed.
   *
   * @throws VerbsException ENODEV
   */
  public void checkPresent(String verb) {
    if (waiters.areDismissed()) {
      throw refusal(verb, Errno.ENODEV, WaitQueue.GONE);
    }
  }

  private static VerbsException refusal(String verb, Errno errno, String text) {
    return switch (verb) {
      case "ibv_post_send", "ibv_post_recv", "ibv_post_srq_recv" ->
          new BadWorkRequestException(errno, verb, 0, text);
      case ReregMrRequest.VERB -> new ReregMrException(ReregMrErrCode.INPUT, errno, text);
      default -> new VerbsException(errno, verb, text);
    };
  }

  public WaitQueue waiters() {
    return waiters;
  }

  /**
   * Waits until posted requests are sent, if another thread may have to send them: requests that
   * complete when they are sent have completed then, as on hardware, where a verb takes longer.
   */
  public void awaitSent(String verb) {
    if (waiters.canBlock()) {
      waiters.await(
          new WaitDescription(verb, () -> "what was posted to be sent"),
          () -> hca.engine().hasToSend() ? null : this,
          SEND_TIMEOUT);
    }
  }

  /** Gives an application all sentences of {@link Explanations} from now on. */
  public void explainTo(Consumer<String> output) {
    try (Step step = call()) {
      Explanations explanations = step.hca().engine().explanations();
      explanations.want();
      listeners.add(
          () -> {
            String sentence = explanations.poll();
            return sentence == null ? null : () -> output.accept(sentence);
          });
    }
  }

  /** Listeners of the application; changed under the lock. */
  public EventListeners listeners() {
    return listeners;
  }

  public LostPackets lostPackets() {
    return lostPackets;
  }

  public FabricAttachments attachments() {
    return attachments;
  }

  public PortStation stationAt(InetAddress address) {
    try (Step step = call()) {
      return new PortStation(this, step.hca().ports().numberOf(address));
    }
  }

  public boolean has(InetAddress address) {
    return txPaths.of(address) != null;
  }

  /** Notes in traces and captures what happens to the device. */
  public void annotate(String note) {
    txPaths.first().link().annotate(Link.NoteSubject.STATION, null, 0, note);
  }

  /**
   * Opens the only step of a verb that may give the adapter something to send, or complete what a
   * thread waits for.
   *
   * @param object the object that the verb is called on
   * @throws VerbsException as {@link #beginVerb}; EINVAL if the object was destroyed
   */
  public Step step(String verb, ObjectLifecycle object) {
    beginVerb(verb);
    return open(verb, StepKind.CHANGE, object);
  }

  /**
   * Begins a verb and opens a step of kind CHANGE, without checking an object.
   *
   * @throws VerbsException as {@link #beginVerb}
   */
  public Step step(String verb) {
    beginVerb(verb);
    return open(verb, StepKind.CHANGE, null);
  }

  /** Opens a step of kind CHANGE for a verb that has begun. */
  public Step resume(String verb) {
    return open(verb, StepKind.CHANGE, null);
  }

  /** Opens a step of kind CHANGE that belongs to no verb. */
  public Step step() {
    return open(NO_VERB, StepKind.CHANGE, null);
  }

  /**
   * Opens the only step of a verb that sends nothing and ends no wait.
   *
   * @param object the object that the verb is called on
   * @throws VerbsException as {@link #beginVerb}; EINVAL if the object was destroyed
   */
  public Step call(String verb, ObjectLifecycle object) {
    beginVerb(verb);
    return open(verb, StepKind.CALL, object);
  }

  /**
   * Begins a verb and opens a step of kind CALL, without checking an object.
   *
   * @throws VerbsException as {@link #beginVerb}
   */
  public Step call(String verb) {
    beginVerb(verb);
    return open(verb, StepKind.CALL, null);
  }

  /** Opens a step of kind CALL that belongs to no verb. */
  public Step call() {
    return open(NO_VERB, StepKind.CALL, null);
  }

  /** Opens a step of kind CALL for a verb that has begun. */
  public Step resumeCall(String verb) {
    return open(verb, StepKind.CALL, null);
  }

  /** Opens the step of a verb that posts sends and has begun. */
  public Step resumeSend(String verb) {
    return open(verb, StepKind.SEND, null);
  }

  /** Opens the step of a verb that posts receives and has begun. */
  public Step resumeReceive(String verb) {
    return open(verb, StepKind.RECEIVE, null);
  }

  private Step open(String verb, StepKind kind, @Nullable ObjectLifecycle object) {
    if (kind != StepKind.CALL) {
      waiters.acquire(verb);
    }
    lock.lock();
    Step step = outermostStep.verb == null ? outermostStep : new Step();
    step.verb = verb;
    step.kind = kind;
    boolean isOpen = false;
    try {
      step.nowNanos = kind == StepKind.CALL ? 0 : advanceClock();
      if (object != null) {
        object.check(verb);
      }
      isOpen = true;
      return step;
    } finally {
      if (!isOpen) {
        step.close();
      }
    }
  }

  /** Kinds of steps; they differ in what their end does. */
  private enum StepKind {
    /** Releases the lock only: the verb gives nothing to send and completes nothing. */
    CALL,

    /** Sends, and wakes waiting threads. */
    CHANGE,

    /** Sends, and wakes waiting threads if there are new notifications. */
    SEND,

    /** Wakes waiting threads if there are new notifications: receives give nothing to send. */
    RECEIVE
  }

  /** A step of a verb. Its thread has the adapter to itself until it closes the step. */
  public final class Step implements AutoCloseable {
    /** Verb of the step; null while the step is not open. */
    private @Nullable String verb;

    private StepKind kind = StepKind.CALL;
    private long nowNanos;

    private Step() {}

    public Hca hca() {
      return hca;
    }

    public String verb() {
      return verb;
    }

    /**
     * Refuses an object that was destroyed.
     *
     * @throws VerbsException EINVAL
     */
    public void check(ObjectLifecycle object) {
      object.check(verb);
    }

    public VerbsException refusal(Errno errno, String text) {
      return new VerbsException(errno, verb, text);
    }

    /** Ends the step as its kind says: pending packets leave, and waiting threads check again. */
    @Override
    public void close() {
      StepKind endingKind = kind; // The object is reused once the lock is released.
      long beganNanos = nowNanos;
      verb = null;
      try {
        switch (endingKind) {
          case CALL -> endCall();
          case CHANGE -> endChange(beganNanos);
          case SEND -> endStep(beganNanos);
          case RECEIVE -> endPostRecv();
        }
      } finally {
        if (endingKind != StepKind.CALL) {
          waiters.release();
        }
      }
    }
  }

  private void endChange(long nowNanos) {
    try {
      waiters.wake();
      listeners.collect();
    } finally {
      endStep(nowNanos);
    }
  }

  private void endCall() {
    try {
      keepPayloads();
    } finally {
      lock.unlock();
    }
  }

  /** Ends a step that posted receives: nothing is to be sent, but something may have completed. */
  private void endPostRecv() {
    try {
      keepPayloads();
      timer.reschedule(hca.engine()); // For moderated completions.
      notifyWaiters();
    } finally {
      lock.unlock();
    }
    listeners.tell();
  }

  /** Begins a step, which {@link #endStep} ends: takes the lock, and reads the clock. */
  private long begin() {
    lock.lock();
    boolean hasBegun = false;
    try {
      long nowNanos = advanceClock();
      hasBegun = true;
      return nowNanos;
    } finally {
      if (!hasBegun) {
        lock.unlock();
      }
    }
  }

  private long advanceClock() {
    long nowNanos = scheduler.nowNanos();
    hca.engine().moderator().advance(nowNanos);
    return nowNanos;
  }

  /**
   * Ends a step and releases the lock. Pending packets leave before that, sent by this thread; if a
   * link wants a doorbell, they are only announced after that, and the caller of {@link
   * PortStation#transmit} sends them.
   */
  private void endStep(long nowNanos) {
    boolean rings = false;
    try {
      hca.engine().flushWrites();
      keepPayloads();
      if (hca.engine().hasToSend()) {
        rings = !txPaths.allowInlineTransmit();
        if (!rings) {
          sendAll(nowNanos);
        }
      }
      timer.reschedule(hca.engine());
      notifyWaiters();
    } finally {
      lock.unlock();
    }
    if (rings) {
      txPaths.ringDoorbell();
    }
    listeners.tell();
  }

  /** Lets packets in flight copy their payload, before the application gets its memory back. */
  private void keepPayloads() {
    if (hca.engine().takeGivenBack()) {
      ownPayloads();
    }
  }

  /**
   * Wakes waiting threads if there is a new completion or event. Most packets bring none, and a
   * wake-up in vain costs more than the packet.
   */
  private void notifyWaiters() {
    long notifications = hca.engine().statistics().notificationCount();
    if (notifications != seenNotifications) {
      seenNotifications = notifications;
      waiters.wake();
      listeners.collect();
    } else if (!hca.engine().explanations().isEmpty()) {
      listeners.collect();
    }
  }

  /** One port of the device, as a station of the network. */
  record PortStation(HcaDriver driver, int portNum) implements Station {
    @Override
    public void receive(List<? extends Traffic> traffic) {
      if (!driver.isAttached) {
        return; // No queue pair exists yet.
      }
      long nowNanos = driver.begin();
      try {
        for (int i = 0; i < traffic.size(); i++) {
          driver.rxPath.decode(traffic.get(i), portNum, nowNanos);
        }
      } finally {
        driver.endStep(nowNanos);
      }
    }

    /** {@inheritDoc} The network calls this after a doorbell, or when it has room again. */
    @Override
    public void transmit() {
      driver.transmit();
    }

    @Override
    public OptionalInt requesterOf(InetAddress responder, int destQpn) {
      try (Step step = driver.call()) {
        return step.hca().engine().requesterOf(responder, destQpn);
      }
    }
  }

  private void transmit() {
    lock.lock();
    try {
      if (hca == null) {
        return; // Still being attached: nothing to send yet.
      }
      sendAll(advanceClock());
      keepPayloads();
      timer.reschedule(hca.engine());
      notifyWaiters();
    } finally {
      lock.unlock();
    }
    listeners.tell();
  }

  /** Takes packets from the engine and sends them while there is room; no other method does. */
  private void sendAll(long nowNanos) {
    while (txPaths.areWritable()) {
      TransmitUnit unit = hca.engine().pollTransmit(nowNanos);
      if (unit == null) {
        break;
      }
      send(unit);
    }
    txPaths.endTurn();
  }

  private void send(TransmitUnit unit) {
    if (unit instanceof Packet packet) {
      send(packet);
    } else if (unit instanceof PortFrame frame) {
      send(frame.frame(), frame.portNum());
    }
  }

  private void send(RawFrame frame, int portNum) {
    hca.engine().sniff(frame, portNum);
    if (!hca.ports().isUp(portNum)) {
      hca.engine().drops().count(DropReason.PORT_DOWN);
    } else if (!hca.ports().at(portNum).isOnSegment()) {
      hca.engine().dispatch(frame, portNum, true);
    } else {
      txPaths.of(hca.ports().at(portNum).addresses().get(0)).add(frame);
    }
  }

  private void send(Packet packet) {
    TxPath txPath = txPaths.of(packet.route().source());
    int portNum = hca.ports().numberOf(packet.route().source());
    if (txPath == null) {
      drop(packet, DropReason.NOT_OUR_ADDRESS);
    } else if (hca.ports().isUpOrNone(portNum)) {
      hca.engine().statistics().sent(portNum, packet);
      rxPath.sniff(packet, portNum);
      txPath.add(packet);
    } else {
      hca.engine().statistics().count(portNum, HwCounter.SEND_ERR);
      drop(packet, DropReason.PORT_DOWN);
    }
  }

  /**
   * Counts a packet that does not leave, and records why. Captures do not show it, and the
   * completion of a datagram does not explain it.
   */
  private void drop(Packet packet, DropReason reason) {
    hca.engine().drops().count(reason);
    InetAddress source = packet.route().source();
    PacketEnvelope envelope = new PacketEnvelope(source, packet.route().destination(), packet);
    String fate = "not sent by " + source.getHostAddress() + ": " + reason.text();
    lostPackets.add(envelope, 0, fate);
    if (!packet.opcode().service().isReliable()) {
      hca.engine().explanations().add(packet.opcode() + " " + fate);
    }
  }

  private void expire() {
    long nowNanos = begin();
    try {
      timer.fired();
      hca.engine().expire(nowNanos);
      waiters.wake(); // A completion event that was delayed does not count as new.
      listeners.collect();
    } finally {
      endStep(nowNanos);
    }
  }

  /** Time of the network, in nanoseconds. */
  public long nowNanos() {
    return scheduler.nowNanos();
  }

  /** Time of day, in nanoseconds since 1970, at a time of the network. */
  public long wallClockNanos(long nanos) {
    return scheduler.epochNanos() + nanos;
  }

  @Override
  public void close() {
    try (Step step = step()) {
      timer.stop();
      step.hca().engine().keepAcknowledgements();
    } catch (RuntimeException | AssertionError failure) {
      LOG.error("A device is closed, but cannot acknowledge what it has received", failure);
    }
    txPaths.close();
    lock.lock();
    try {
      waiters.dismiss();
      hca.ports().addresses().forEach(responderResources::removeAll);
    } finally {
      lock.unlock();
    }
  }
}

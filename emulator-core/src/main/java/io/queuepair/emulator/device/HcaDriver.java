package io.queuepair.emulator.device;

import io.queuepair.emulator.fabric.Delivery;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.LostPackets;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.faults.DeviceFaults;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Pacing;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Outgoing;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PacketCodec;
import io.queuepair.emulator.wire.PortFrame;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.ReregMrException;
import io.queuepair.verbs.VerbsException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Runs one {@link Hca} on a {@link Fabric}: the only class that knows both sides. It owns the lock
 * under which the adapter is touched, reads the clock once for each step, and moves packets between
 * the adapter and its links. No lock of another device is ever taken under this one.
 */
final class HcaDriver implements AutoCloseable {
  /** What is said to be refused if another thread came between a verb and its step. */
  private static final String STEP = "verbs";

  private final ReentrantLock lock = new ReentrantLock();

  private final Scheduler scheduler;
  private final Waiters waiters;
  private final Alarm alarm;
  private final PacketCodec codec = new PacketCodec();
  private final Outboxes outboxes;
  private final LostPackets lostPackets;
  private final Hca hca;
  private final EthernetPorts ethernet;
  private final DeviceFaults faults;
  private final Inbox inbox;
  private final Memberships memberships;
  private final Predicate<InetAddress> isOurs = this::has;

  /** What the application had been told when those who wait were last made to look. */
  private long noticed;

  /**
   * Attaches a device to a network.
   *
   * @param addresses those of each port, which become its GID table; the first port has at least
   *     one
   * @throws FabricException if an address cannot be had
   */
  HcaDriver(
      Fabric fabric,
      List<List<InetAddress>> addresses,
      DeviceProfile profile,
      DeviceFaults faults) {
    this.faults = faults;
    scheduler = fabric.scheduler();
    waiters = new Waiters(lock, scheduler);
    alarm = new Alarm(scheduler.timer(this::expire));
    List<InetAddress> own = addresses.stream().flatMap(List::stream).toList();
    List<Link> links = attach(fabric, addresses);
    lock.lock(); // Packets come in already.
    try {
      List<Outbox> ofAddresses = new ArrayList<>();
      for (int i = 0; i < links.size(); i++) {
        ofAddresses.add(new Outbox(own.get(i), links.get(i), codec));
      }
      outboxes = new Outboxes(ofAddresses);
      List<Port> ports = new ArrayList<>();
      for (List<InetAddress> ofPort : addresses) {
        ports.add(new Port(profile, ports.size() + 1, ofPort, links.get(0)));
      }
      Pacing pacing = profile.pacing().within(links.get(0).heldBytes());
      lostPackets = links.get(0).lostPackets();
      NetworkLosses losses = new NetworkLosses(lostPackets);
      hca = new Hca(profile.withPacing(pacing), new Ports(profile, ports), losses);
      ethernet = new EthernetPorts(hca.ports(), hca.engine(), codec);
      inbox = new Inbox(hca, ethernet, codec, outboxes);
      memberships = new Memberships(this, fabric, outboxes, codec);
    } finally {
      lock.unlock();
    }
    if (links.get(0).hasSegment()) {
      joinSegment(addresses);
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
    } catch (FabricException refused) {
      links.forEach(Link::close);
      throw refused;
    }
    return links;
  }

  /** Each port is on the segment once, by its first address, however many it has. */
  private void joinSegment(List<List<InetAddress>> addresses) {
    for (List<InetAddress> ofPort : addresses) {
      if (!ofPort.isEmpty()) {
        outboxes.of(ofPort.get(0)).link().joinSegment();
      }
    }
  }

  /**
   * What a verb does first.
   *
   * @throws VerbsException if the fault plan says so; ENODEV if the device is closed
   */
  void enter(String verb) {
    failAsPlanned(verb);
    checkPresent(verb);
  }

  /**
   * What a verb does first that destroys something, or takes what is there already: both can be
   * done after the device was closed, too.
   *
   * @throws VerbsException if the fault plan says so; EPERM if another thread is inside a network
   *     that is for one at a time
   */
  void failAsPlanned(String verb) {
    waiters.acquire(verb);
    scheduler.release();
    DeviceFaults.Refusal refusal = faults.refusalOf(verb, isOurs);
    if (refusal != null) {
      remark(verb + " fails with " + refusal.errno() + ": " + refusal.text());
      throw refusal(verb, refusal.errno(), refusal.text());
    }
  }

  /**
   * Refuses a verb on a device that is closed.
   *
   * @throws VerbsException ENODEV
   */
  void checkPresent(String verb) {
    if (waiters.areDismissed()) {
      throw refusal(verb, Errno.ENODEV, Waiters.GONE);
    }
  }

  private static VerbsException refusal(String verb, Errno errno, String text) {
    return switch (verb) {
      case "ibv_post_send", "ibv_post_recv", "ibv_post_srq_recv" ->
          new BadWorkRequestException(errno, verb, 0, text);
      case Reregistration.VERB -> new ReregMrException(ReregMrErrCode.INPUT, errno, text);
      default -> new VerbsException(errno, verb, text);
    };
  }

  /**
   * The same for an object that may be destroyed.
   *
   * @throws VerbsException as {@link #enter(String)}; EINVAL if the object was destroyed
   */
  void enter(String verb, Lifetime object) {
    enter(verb);
    object.check(verb);
  }

  /** Who waits for something of the device. */
  Waiters waiters() {
    return waiters;
  }

  /** The addresses and groups of the network that it has. */
  Memberships memberships() {
    return memberships;
  }

  /** The device at the port that has an address. */
  PortStation stationAt(InetAddress address) {
    return new PortStation(this, call(hca -> hca.ports().numberOf(address)));
  }

  /** Whether the device has an address. */
  boolean has(InetAddress address) {
    return outboxes.of(address) != null;
  }

  /** Tells traces and captures what happens to the device. */
  void remark(String note) {
    outboxes.first().link().remark(note);
  }

  /** Runs a verb that sends nothing. */
  <T> T call(Function<Hca, T> verb) {
    lock.lock();
    try {
      return verb.apply(hca);
    } finally {
      keepPayloads();
      lock.unlock();
    }
  }

  /** The same without garbage, for what programs call again and again: a number of an argument. */
  <A> int count(ToIntFunction<A> verb, A argument) {
    lock.lock();
    try {
      return verb.applyAsInt(argument);
    } finally {
      lock.unlock();
    }
  }

  /** Runs a verb that may give the adapter something to send or somebody something to wait for. */
  void step(Verb verb) {
    step(
        verb,
        List.of(),
        (adapter, itself, none) -> {
          itself.run(adapter);
          waiters.wake();
        });
  }

  /** The same for requests that are posted, without garbage. */
  <Q, R> void step(Q queue, List<R> requests, Posting<Q, R> posting) {
    waiters.acquire(STEP);
    try {
      stepUnderLock(queue, requests, posting);
    } finally {
      scheduler.release();
    }
  }

  private <Q, R> void stepUnderLock(Q queue, List<R> requests, Posting<Q, R> posting) {
    long nowNanos = begin();
    try {
      posting.run(hca, queue, requests);
    } finally {
      leave(nowNanos);
    }
  }

  /** Posts requests that give it nothing to send, but may complete something. */
  <Q, R> void postReceive(Q queue, List<R> requests, Posting<Q, R> posting) {
    waiters.acquire(STEP);
    lock.lock();
    try {
      noteTime();
      posting.run(hca, queue, requests);
    } finally {
      try {
        keepPayloads();
        alarm.follow(hca.engine()); // Of moderated completions.
        signalNews();
      } finally {
        lock.unlock();
        scheduler.release();
      }
    }
  }

  private boolean isAttached() {
    lock.lock();
    try {
      return inbox != null;
    } finally {
      lock.unlock();
    }
  }

  /** Begins a step, which {@link #leave} ends: takes the lock, and reads the clock. */
  private long begin() {
    lock.lock();
    boolean hasBegun = false;
    try {
      long nowNanos = noteTime();
      hasBegun = true;
      return nowNanos;
    } finally {
      if (!hasBegun) {
        lock.unlock();
      }
    }
  }

  private long noteTime() {
    long nowNanos = scheduler.nowNanos();
    hca.engine().completionClock().advance(nowNanos);
    return nowNanos;
  }

  /** Ends a step: what there is to send leaves, or is announced, holding no lock. */
  private void leave(long nowNanos) {
    boolean rings = false;
    try {
      keepPayloads();
      if (hca.engine().hasToSend()) {
        rings = !outboxes.needNoRing();
        if (!rings) {
          sendAll(nowNanos);
        }
      }
      alarm.follow(hca.engine());
      signalNews();
    } finally {
      lock.unlock();
    }
    if (rings) {
      outboxes.ring();
    }
  }

  /** Before the application gets memory back: packets on their way keep what was in it. */
  private void keepPayloads() {
    if (hca.engine().takeGivenBack()) {
      outboxes.ownPayloads();
    }
  }

  /**
   * Lets those who wait look again, if there is something new for one of them. Most packets bring
   * nothing, and to wake a thread for nothing costs more than the packet.
   */
  private void signalNews() {
    long told = hca.engine().visits().told();
    if (told != noticed) {
      noticed = told;
      waiters.wake();
    }
  }

  /**
   * Requests being posted to a queue of the adapter. Captures nothing, so that it is no garbage.
   */
  interface Posting<Q, R> {
    void run(Hca hca, Q queue, List<R> requests);
  }

  /** A verb at work on the adapter. */
  interface Verb {
    void run(Hca hca);
  }

  /** Traffic arrived at a port, see {@link Station#receive}. */
  void receive(List<? extends Traffic> traffic, int portNum) {
    if (!isAttached()) {
      return; // No queue pair exists yet.
    }
    long nowNanos = begin();
    try {
      for (int i = 0; i < traffic.size(); i++) {
        inbox.receive(traffic.get(i), portNum, nowNanos);
      }
    } finally {
      leave(nowNanos);
    }
  }

  /** See {@link Station#transmit}. */
  void transmit() {
    lock.lock();
    try {
      if (hca == null) {
        return; // Still being attached: nothing to send yet.
      }
      sendAll(noteTime());
      keepPayloads();
      alarm.follow(hca.engine());
      signalNews();
    } finally {
      lock.unlock();
    }
  }

  /** What may be sent now, as far as there is room. */
  private void sendAll(long nowNanos) {
    while (outboxes.areWritable()) {
      Outgoing outgoing = hca.engine().pollTransmit(nowNanos);
      if (outgoing == null) {
        break;
      }
      send(outgoing);
    }
    outboxes.endTurn();
  }

  /** See {@link Station#requesterOf}. */
  OptionalInt requesterOf(InetAddress responder, int destQpn) {
    return call(hca -> hca.engine().requesterOf(responder, destQpn));
  }

  private void send(Outgoing outgoing) {
    if (outgoing instanceof Packet packet) {
      send(packet);
    } else if (outgoing instanceof PortFrame frame) {
      send(frame.frame(), frame.portNum());
    }
  }

  private void send(RawFrame frame, int portNum) {
    hca.engine().sniff(frame, portNum);
    if (hca.ports().isUp(portNum)) {
      outboxes.of(hca.ports().at(portNum).addresses().get(0)).add(frame);
    } else {
      hca.engine().drops().count(DropReason.PORT_DOWN);
    }
  }

  private void send(Packet packet) {
    Outbox outbox = outboxes.of(packet.route().source());
    int portNum = hca.ports().numberOf(packet.route().source());
    if (outbox == null) {
      drop(packet, DropReason.NOT_OUR_ADDRESS);
    } else if (hca.ports().isUpOrNone(portNum)) {
      hca.engine().counters().count(portNum, HwCounter.SENT_PKTS);
      ethernet.pass(packet, portNum);
      outbox.add(packet);
    } else {
      hca.engine().counters().count(portNum, HwCounter.SEND_ERR);
      drop(packet, DropReason.PORT_DOWN);
    }
  }

  /** Captures do not show what never leaves. */
  private void drop(Packet packet, DropReason reason) {
    hca.engine().drops().count(reason);
    InetAddress source = packet.route().source();
    Delivery unsent = new Delivery(source, packet.route().destination(), packet);
    lostPackets.add(unsent, 0, "not sent by " + source.getHostAddress() + ": " + reason.text());
  }

  private void expire() {
    long nowNanos = begin();
    try {
      alarm.fired();
      hca.engine().expire(nowNanos);
      waiters.wake(); // An announcement that was held back is nothing new.
    } finally {
      leave(nowNanos);
    }
  }

  /** The time of the network, in nanoseconds. */
  long nowNanos() {
    return scheduler.nowNanos();
  }

  /** The time of day, in nanoseconds since 1970, at a moment of the network. */
  long wallClockNanos(long nanos) {
    return scheduler.epochNanos() + nanos;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      alarm.stop();
    } finally {
      lock.unlock();
    }
    outboxes.close();
    lock.lock();
    try {
      waiters.dismiss();
    } finally {
      lock.unlock();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.CallSite;
import io.queuepair.emulator.engine.UsageListener;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.faults.DeviceFaults;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.umad.UmadAgent;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.NodeType;
import io.queuepair.verbs.TransportType;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A device that is attached to a network until it is closed. {@link
 * io.queuepair.emulator.EmulatedDevice} describes what programs can do with it besides verbs.
 */
public class HcaDevice implements Device, DeviceFaults.FaultTarget, AutoCloseable {
  private final String name;
  private final int index;
  private final long guid;
  private final DeviceProfile profile;
  private final AtomicLong displacedConnections = new AtomicLong();
  private final HcaDriver driver;
  private final Scheduler scheduler;
  private final DeviceBlockedReporter blockedReporter;

  /** Open contexts, oldest first, with the call sites of open; guarded by the driver's lock. */
  private final Map<EmulatedContext, CallSite> contexts = new LinkedHashMap<>();

  /** Agent of the host's connection manager, or null. Guarded by the driver's lock. */
  private @Nullable CmMadAgent cmAgent;

  private final List<InetAddress> addresses;
  private volatile boolean closed;

  /**
   * Attaches a device.
   *
   * @param addresses addresses by port, which become the GID tables. The first port has at least
   *     one; ports that are left out have none
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses an address
   */
  public HcaDevice(
      DeviceId deviceId,
      Fabric fabric,
      List<List<InetAddress>> addresses,
      DeviceProfile profile,
      DeviceFaults faults) {
    name = deviceId.name();
    index = deviceId.index();
    guid = Ethernet.macOf(addresses.get(0).get(0)).toGuid();
    List<List<InetAddress>> ports = new ArrayList<>();
    for (int port = 0; port < profile.ports(); port++) {
      List<InetAddress> ofPort = new ArrayList<>();
      ofPort.addAll(port < addresses.size() ? addresses.get(port) : List.of());
      if (profile.has(Quirk.GIDS_BY_KIND)) {
        ofPort.sort(Comparator.comparingInt(HcaDevice::kindOf));
      }
      ports.add(ofPort);
    }
    this.profile = profile;
    this.addresses = addresses.stream().flatMap(List::stream).toList();
    driver = new HcaDriver(fabric, ports, profile, faults);
    scheduler = fabric.scheduler();
    blockedReporter = new DeviceBlockedReporter(name, driver, this::unsettled);
    scheduler.blockedWork().add(blockedReporter);
  }

  /** Name of a device, and its number on the network. */
  public record DeviceId(String name, int index) {}

  private static int kindOf(InetAddress address) {
    if (address instanceof Inet4Address) {
      return 1;
    }
    return address.isLinkLocalAddress() ? 0 : 2;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return "device " + name + (closed ? " (closed)" : "");
  }

  public List<InetAddress> addresses() {
    return addresses;
  }

  @Override
  public long guid() {
    return guid;
  }

  @Override
  public int index() {
    return index;
  }

  @Override
  public NodeType nodeType() {
    return NodeType.CA;
  }

  @Override
  public TransportType transportType() {
    return TransportType.IB;
  }

  @Override
  public Context open() {
    try (Step step = driver.step("ibv_open_device")) {
      if (closed) {
        throw step.refusal(Errno.ENODEV, name + " is gone");
      }
      EmulatedContext context = new EmulatedContext(this, driver, step);
      contexts.put(context, step.hca().usage().caller());
      return context;
    }
  }

  /** Forgets a closed context; under the driver's lock. */
  void forget(EmulatedContext context) {
    contexts.remove(context);
  }

  /**
   * Takes a port up or down; raises PORT_ACTIVE or PORT_ERR at every context if that is a change.
   *
   * @throws VerbsException EINVAL if there is no such port
   */
  public void setPortUp(int portNum, boolean up) {
    try (Step step = driver.resume("ibv_query_port")) {
      if (step.hca().ports().port(step.verb(), portNum).setUp(up)) {
        if (!up) {
          step.hca().engine().statistics().count(portNum, HwCounter.LINK_DOWNED);
        }
        EventType eventType = up ? EventType.PORT_ACTIVE : EventType.PORT_ERR;
        raiseOnAllContexts(AsyncEvent.ofPort(eventType, portNum));
      }
    }
  }

  /**
   * Adds an address to a port; raises GID_CHANGE at every context.
   *
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses the address
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#addAddress}
   */
  public void addAddress(int portNum, String address) {
    driver.attachments().addAddress(portNum, IpAddress.parse(address));
    try (Step step = driver.step()) {
      raiseOnAllContexts(AsyncEvent.ofPort(EventType.GID_CHANGE, portNum));
    }
  }

  /**
   * Removes an address from a port; raises GID_CHANGE at every context.
   *
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#removeAddress}
   */
  public void removeAddress(int portNum, String address) {
    driver.attachments().removeAddress(portNum, IpAddress.parse(address));
    try (Step step = driver.step()) {
      raiseOnAllContexts(AsyncEvent.ofPort(EventType.GID_CHANGE, portNum));
    }
  }

  /**
   * Limits the length of the packets of a port, in bytes.
   *
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#setMtu}
   */
  public void setMtu(int portNum, int bytes) {
    try (Step step = driver.resume("ibv_query_port")) {
      step.hca().ports().port(step.verb(), portNum).setMtu(step.verb(), bytes);
    }
  }

  /**
   * Changes an entry of the P_Key table of a port; raises PKEY_CHANGE at every context if that is a
   * change.
   *
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#setPkey}
   */
  public void setPkey(int portNum, int index, int pkey) {
    try (Step step = driver.resume("ibv_query_pkey")) {
      if (step.hca().ports().setPkey(step.verb(), portNum, index, pkey)) {
        raiseOnAllContexts(AsyncEvent.ofPort(EventType.PKEY_CHANGE, portNum));
      }
    }
  }

  /**
   * Registers for the management datagrams of a class.
   *
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#registerUmad}
   */
  public UmadAgent registerUmad(int portNum, int mgmtClass) {
    return EmulatedUmadAgent.register(driver, portNum, mgmtClass);
  }

  /**
   * Registers the connection manager of the host, of which there is one. Both listeners are called
   * under the lock of the device: they must not wait, and call no verb.
   *
   * @param messages takes a message; returns false if there are too many already
   * @param eventListener gets the events that every context gets
   */
  public CmMadAgent registerCm(
      BiPredicate<AhAttr, CmMessage> messages, Consumer<EventType> eventListener) {
    CmMadAgent agent = CmMadAgent.register(this, driver, messages, eventListener);
    try (Step step = driver.step()) {
      cmAgent = agent;
    }
    return agent;
  }

  /** Sends through a fabric that carries out fault plans, from now on. */
  public void sendThrough(FaultFabric faulty) {
    driver
        .attachments()
        .moveTo(faulty, (address, link) -> faulty.faulty(address, driver.stationAt(address), link));
  }

  /** Whether a packet to an address would reach a device, as far as the network can tell. */
  public boolean reaches(InetAddress address) {
    try (Step step = driver.call()) {
      return step.hca().ports().first().reaches(Gid.of(address));
    }
  }

  @Override
  public boolean has(InetAddress address) {
    return !closed && driver.has(address);
  }

  @Override
  public void setPortUp(InetAddress address, boolean up, String why) {
    int portNum = driver.stationAt(address).portNum();
    driver.annotate("port " + portNum + " is " + (up ? "up again: " : "down: ") + why);
    setPortUp(portNum, up);
  }

  @Override
  public void setCompletionRoom(boolean hasRoom, String why) {
    driver.annotate("completion queues have " + (hasRoom ? "room again: " : "no room: ") + why);
    try (Step step = driver.step()) {
      step.hca().engine().moderator().setRoom(hasRoom);
    }
  }

  @Override
  public void fail(String why) {
    driver.annotate("the device fails: " + why);
    failAll("the device failed, as the fault plan says: " + why);
  }

  /** Fails the device: every queue pair moves to ERR, and every context gets DEVICE_FATAL. */
  public void fail() {
    failAll("the device failed");
  }

  private void failAll(String reason) {
    try (Step step = driver.step()) {
      step.hca().engine().failAll(reason);
      raiseOnAllContexts(AsyncEvent.ofDevice(EventType.DEVICE_FATAL));
    }
  }

  private void raiseOnAllContexts(AsyncEvent event) {
    contexts.keySet().forEach(context -> context.events().raise(event));
    if (cmAgent != null) {
      cmAgent.changed(event.eventType());
    }
  }

  public List<SanitizerFinding> sanitizerFindings() {
    try (Step step = driver.call()) {
      return step.hca().usage().found();
    }
  }

  /** Counts a connection that ended before the timeout that its peer has chosen. */
  public void countDisplaced() {
    displacedConnections.incrementAndGet();
  }

  /** Number of connections that ended before that timeout. */
  public long displacedConnections() {
    return displacedConnections.get();
  }

  /** Number of packets dropped so far, by name of the reason; only reasons that occurred. */
  public Map<String, Long> dropCounts() {
    Map<String, Long> drops = new LinkedHashMap<>();
    try (Step step = driver.call()) {
      step.hca().engine().drops().toMap().forEach((k, v) -> drops.put(k.name(), v));
    }
    return drops;
  }

  /** Lists what programs have left open; under the driver's lock. */
  private List<String> unsettled() {
    return contexts.keySet().stream()
        .flatMap(context -> context.unsettledObjects().stream())
        .toList();
  }

  /** Describes what each queue pair waits for, and what was dropped: one sentence each. */
  public List<String> describeBlockedWork() {
    return blockedReporter.describeBlockedWork(Integer.MAX_VALUE);
  }

  /**
   * Waits for the next completion of a queue, and takes it.
   *
   * @param timeout how long at most, in the time of the network, or null for ever
   */
  public static Optional<WorkCompletion> awaitCompletion(
      CompletionQueue cq, @Nullable Duration timeout) {
    return ((EmulatedCompletionQueue) cq).await(timeout);
  }

  /**
   * Runs a network for a duration, whether or not anything happens on it.
   *
   * @throws VerbsException EPERM if another thread is to run it; EINTR if the thread was
   *     interrupted
   */
  public static void run(Scheduler scheduler, Duration duration) {
    WaitDescription waitDescription = new WaitDescription("run", () -> "the end of a span of time");
    new WaitQueue(new ReentrantLock(), scheduler).spend(waitDescription, duration);
  }

  /** Explains to an application, by sentences, what is refused, dropped or has no room. */
  public void explainTo(Consumer<String> output) {
    driver.explainTo(output);
  }

  /** Profile of the device; the network may limit its send window further. */
  public DeviceProfile profile() {
    return profile;
  }

  /** Traffic counters of a port, by name. */
  public Map<String, Long> trafficCounters(int portNum) {
    try (Step step = driver.call()) {
      step.hca().ports().port(step.verb(), portNum);
      return step.hca().engine().statistics().traffic(portNum);
    }
  }

  public Coverage coverage() {
    try (Step step = driver.call()) {
      return step.hca().engine().statistics().toCoverage(step.hca().profile());
    }
  }

  private void reportLeaked(UsageListener usage) {
    contexts.forEach(
        (context, callSite) -> {
          context.reportLeaked(usage);
          usage.leaked("context", callSite);
        });
    contexts.clear();
  }

  /** Detaches the device: no packet moves any more, and waits fail with ENODEV. */
  @Override
  public void close() {
    closed = true;
    try (Step step = driver.call()) {
      reportLeaked(step.hca().usage());
    }
    driver.close();
    scheduler.blockedWork().remove(blockedReporter);
  }
}

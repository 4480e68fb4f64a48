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
 * A device, attached to a network until it is closed. {@link io.queuepair.emulator.EmulatedDevice}
 * has what programs can do with it besides verbs.
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

  /** The contexts that are open and where they were, oldest first; guarded by the driver's lock. */
  private final Map<EmulatedContext, CallSite> contexts = new LinkedHashMap<>();

  /** The connection manager of the host; null if there is none. Guarded by the driver's lock. */
  private @Nullable CmMadAgent cmAgent;

  private final List<InetAddress> addresses;
  private volatile boolean closed;

  /**
   * Attaches a device.
   *
   * @param addresses those of each port; they become its GID table. The first port has at least
   *     one; ports that are left out have none
   * @throws io.queuepair.emulator.fabric.FabricException if an address cannot be had
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

  /** What a device is called, and its number on the network. */
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

  /** Called under the driver's lock. */
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
   * Attaches the device under another address; raises GID_CHANGE at every context.
   *
   * @throws io.queuepair.emulator.fabric.FabricException if the address cannot be had
   * @throws VerbsException as {@link io.queuepair.emulator.EmulatedDevice#addAddress}
   */
  public void addAddress(int portNum, String address) {
    driver.attachments().addAddress(portNum, IpAddress.parse(address));
    try (Step step = driver.step()) {
      raiseOnAllContexts(AsyncEvent.ofPort(EventType.GID_CHANGE, portNum));
    }
  }

  /**
   * Takes an address away; raises GID_CHANGE at every context.
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
   * Limits the packets of a port.
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
   * Hands the messages of connections to the connection manager of the host, which is one. Both are
   * called under the lock of the device: they must not wait, and call no verb.
   *
   * @param messages takes a message; false if there are too many already
   * @param eventListener takes a change that every context is notified of
   */
  public CmMadAgent registerCm(
      BiPredicate<AhAttr, CmMessage> messages, Consumer<EventType> eventListener) {
    CmMadAgent agent = CmMadAgent.register(this, driver, messages, eventListener);
    try (Step step = driver.step()) {
      cmAgent = agent;
    }
    return agent;
  }

  /** Sends by way of a fault plan from now on. */
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

  /** Lets the device fail: every queue pair goes to Error, and every context gets DEVICE_FATAL. */
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

  /** What the sanitizer has found so far; nothing if there is none. */
  public List<SanitizerFinding> sanitizerFindings() {
    try (Step step = driver.call()) {
      return step.hca().usage().found();
    }
  }

  /** Counts a connection that did not last as long as its peer has said. */
  public void countDisplaced() {
    displacedConnections.incrementAndGet();
  }

  /** How many there were. */
  public long displacedConnections() {
    return displacedConnections.get();
  }

  /** Packets dropped so far, by the name of the reason; only reasons that occurred. */
  public Map<String, Long> dropCounts() {
    Map<String, Long> drops = new LinkedHashMap<>();
    try (Step step = driver.call()) {
      step.hca().engine().drops().toMap().forEach((k, v) -> drops.put(k.name(), v));
    }
    return drops;
  }

  /** Called under the driver's lock. */
  private List<String> unsettled() {
    return contexts.keySet().stream()
        .flatMap(context -> context.unsettledObjects().stream())
        .toList();
  }

  /** What each of its queue pairs waits for now, and what it has dropped: one sentence each. */
  public List<String> describeBlockedWork() {
    return blockedReporter.describeBlockedWork(Integer.MAX_VALUE);
  }

  /**
   * Takes the next completion of a queue, waiting for it.
   *
   * @param timeout how long at most, in the time of the network, or null for ever
   */
  public static Optional<WorkCompletion> awaitCompletion(
      CompletionQueue cq, @Nullable Duration timeout) {
    return ((EmulatedCompletionQueue) cq).await(timeout);
  }

  /**
   * Lets a network run, whether or not anything happens on it.
   *
   * @throws VerbsException EPERM if it is for another thread to run it; EINTR if the thread was
   *     interrupted
   */
  public static void run(Scheduler scheduler, Duration duration) {
    WaitDescription waitDescription = new WaitDescription("run", () -> "the end of a span of time");
    new WaitQueue(new ReentrantLock(), scheduler).spend(waitDescription, duration);
  }

  /** Tells an application of what it refuses, drops and has no room for: a sentence at a time. */
  public void explainTo(Consumer<String> output) {
    driver.explainTo(output);
  }

  /** The profile that it was made with; what the network lets it send at once may be less. */
  public DeviceProfile profile() {
    return profile;
  }

  /** What has passed a port. */
  public Map<String, Long> trafficCounters(int portNum) {
    try (Step step = driver.call()) {
      step.hca().ports().port(step.verb(), portNum);
      return step.hca().engine().statistics().traffic(portNum);
    }
  }

  /** What the device has covered so far. */
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

  /**
   * Detaches the device from its network. Contexts stay, but nothing moves any more, and a thread
   * that waits for something that is not there yet is refused with ENODEV.
   */
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.device.HcaDevice;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.VirtualNetwork;
import io.queuepair.emulator.faults.DeviceFaults;
import io.queuepair.emulator.faults.FaultBlockedReporter;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SanitizerFinding;
import io.queuepair.emulator.threads.ApplicationThread;
import io.queuepair.emulator.threads.ApplicationThreads;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Devices on one network: the entry point of tests and programs.
 *
 * <pre>{@code
 * try (Emulator emulator = Emulator.inMemory()) {
 *   Context a = emulator.addDevice("10.0.0.1").open();
 *   Context b = emulator.addDevice("10.0.0.2").open();
 *   ...
 * }
 * }</pre>
 *
 * <p>Thread-safe if its network is. Virtual time belongs to one thread at a time: threads that the
 * emulator has started ({@link #start}) take turns; any other thread that calls a verb while
 * another thread is inside a verb or a wait is refused with EPERM. Programs whose threads run at
 * the same time need {@link InMemoryFabric#realTime()}, or UDP.
 */
public final class Emulator implements AutoCloseable {
  /** Lock for adding and closing devices and for fault plans. A thread may hold it for long. */
  private final Object changing = new Object();

  private final Scheduler scheduler;
  private Fabric fabric;
  private final DeviceProfile profile;
  private final UnaryOperator<DeviceProfile> sanitizing;
  private final long originNanos;
  private final List<AttachedDevice> devices = new CopyOnWriteArrayList<>();

  private final InjectedFaults faults;
  private final @Nullable Consumer<String> explanations;
  private final RdmaCmHosts hosts;
  private final ApplicationThreads threads;
  private volatile boolean isClosed;

  Emulator(Fabric fabric, EmulatorBuilder builder) {
    this.fabric = fabric;
    scheduler = fabric.scheduler();
    originNanos = scheduler.nowNanos();
    profile = builder.profile();
    sanitizing = builder.sanitizing();
    faults = new InjectedFaults(scheduler, builder.isStrict(), builder.faultWarnings());
    explanations = builder.explanations();
    hosts = new RdmaCmHosts(scheduler);
    threads = new ApplicationThreads(scheduler);
  }

  private static final class AttachedDevice extends HcaDevice implements EmulatedDevice {
    AttachedDevice(
        DeviceId deviceId,
        Fabric fabric,
        List<List<InetAddress>> addresses,
        DeviceProfile profile,
        DeviceFaults faults) {
      super(deviceId, fabric, addresses, profile, faults);
    }
  }

  /**
   * Begins the settings of a new emulator: network, capture, faults, profile of its devices.
   *
   * @return a builder with the settings of {@link #inMemory()}
   */
  public static EmulatorBuilder builder() {
    return new EmulatorBuilder();
  }

  /**
   * Makes an emulator on its own network, in memory and in virtual time. Its runs are
   * deterministic; one thread at a time uses it.
   *
   * @return a new emulator
   */
  public static Emulator inMemory() {
    return builder().build();
  }

  /**
   * Makes an emulator on a given network. {@link #close} closes the network, too.
   *
   * @param fabric the network
   * @return a new emulator
   */
  public static Emulator on(Fabric fabric) {
    return builder().fabric(fabric).build();
  }

  /**
   * Carries out a fault plan from now on; may be called before devices are added, or while they
   * work. The times and counts of a plan begin with this call. If there are devices already, a
   * warning in the log names unknown hosts. Over UDP only hosts in statements about devices are
   * checked, as devices of other processes are not known.
   *
   * @param plan what goes wrong; several plans add up
   * @return this emulator
   * @throws IllegalArgumentException if a host of the plan is unknown, there are devices already,
   *     and faults are {@linkplain EmulatorBuilder#strictFaults() strict}
   */
  public Emulator injectFaults(FaultPlan plan) {
    synchronized (changing) {
      fabric = faults.injectFaults(plan, fabric, devices);
      return this;
    }
  }

  /**
   * Ends all fault plans: further packets and calls are not affected, ports that a plan took down
   * come up again, and completion queues have room. Delayed packets stay delayed, and a failed
   * device stays failed. {@link #faultCounts} keeps its counts.
   *
   * @return this emulator
   */
  public Emulator clearFaults() {
    synchronized (changing) {
      faults.clear();
      return this;
    }
  }

  /**
   * Number of times that each statement of the fault plans was carried out.
   *
   * @return counts so far by statement; statements about packets come first
   */
  public Map<String, Long> faultCounts() {
    return faults.appliedCounts();
  }

  /** {@return the statements of the fault plans that were not carried out so far} */
  public List<String> faultsNotTaken() {
    return faults.notTaken();
  }

  /**
   * Adds a device with the profile of this emulator, named {@code qp0}, {@code qp1} and so on
   * unless the emulator has another prefix.
   *
   * @param addresses its IP addresses, which become its GID table; at least one
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses an address
   * @throws IllegalArgumentException if an address is not an IP address
   */
  public EmulatedDevice addDevice(String... addresses) {
    return addDevice(profile, addresses);
  }

  /**
   * Adds a device, named {@code qp0}, {@code qp1} and so on unless the emulator has another prefix.
   *
   * @param profile which device to emulate; ports after the first have no address and are down
   * @param addresses IP addresses of port 1, which become its GID table; at least one
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses an address
   * @throws IllegalArgumentException if an address is not an IP address
   */
  public EmulatedDevice addDevice(DeviceProfile profile, String... addresses) {
    return addDevice(profile, List.of(addresses), List.of());
  }

  /**
   * Adds a device with addresses on two ports.
   *
   * @param profile which device to emulate
   * @param port1 IP addresses of port 1, which become its GID table; at least one
   * @param port2 IP addresses of port 2, which is down if there are none
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if the network refuses an address
   * @throws IllegalArgumentException if an address is not an IP address, if port 1 has none, or if
   *     port 2 has some and the profile has no port 2
   */
  public EmulatedDevice addDevice(DeviceProfile profile, List<String> port1, List<String> port2) {
    if (port1.isEmpty()) {
      throw new IllegalArgumentException("port 1 has no address");
    }
    if (profile.ports() < 2 && !port2.isEmpty()) {
      throw new IllegalArgumentException("the profile has no port 2");
    }
    List<List<InetAddress>> parsed =
        List.of(
            port1.stream().map(IpAddress::parse).toList(),
            port2.stream().map(IpAddress::parse).toList());
    synchronized (changing) {
      scheduler.virtualNetwork().ifPresent(VirtualNetwork::acquire);
      try {
        int index = devices.size();
        HcaDevice.DeviceId deviceId = new HcaDevice.DeviceId("qp" + index, index);
        AttachedDevice device =
            new AttachedDevice(
                deviceId, fabric, parsed, sanitizing.apply(profile), faults.ofDevices());
        if (explanations != null) {
          device.explainTo(explanations);
        }
        devices.add(device);
        faults.ofDevices().schedule(device);
        return device;
      } finally {
        scheduler.virtualNetwork().ifPresent(VirtualNetwork::release);
      }
    }
  }

  /**
   * The devices added so far.
   *
   * @return in order of addition
   */
  public List<EmulatedDevice> devices() {
    return List.copyOf(devices);
  }

  /**
   * Connection manager (rdma_cm) of a host with one or more devices. A device that is not named
   * together with others is a host of its own.
   *
   * @param device a device of this emulator
   * @param otherDevices further devices of the same host
   * @return the same object at every call with devices of that host
   * @throws IllegalArgumentException if the devices belong to different hosts already, or one is
   *     not of this emulator
   */
  public RdmaCm rdmaCm(EmulatedDevice device, EmulatedDevice... otherDevices) {
    List<HcaDevice> hcaDevices = new ArrayList<>(List.of(own(device)));
    for (EmulatedDevice other : otherDevices) {
      hcaDevices.add(own(other));
    }
    return hosts.of(hcaDevices);
  }

  private HcaDevice own(EmulatedDevice device) {
    for (AttachedDevice attachedDevice : devices) {
      if (attachedDevice.equals(device)) {
        return attachedDevice;
      }
    }
    throw new IllegalArgumentException(device + " is not a device of " + this);
  }

  /**
   * Number of packets that all devices of this emulator have dropped, by reason.
   *
   * @return only the reasons that occurred
   */
  public Map<String, Long> dropCounts() {
    Map<String, Long> drops = new LinkedHashMap<>();
    devices.forEach(device -> device.dropCounts().forEach((k, v) -> drops.merge(k, v, Long::sum)));
    return drops;
  }

  /**
   * Coverage of all devices of this emulator so far.
   *
   * @return a snapshot
   */
  public Coverage coverage() {
    return devices.stream().map(HcaDevice::coverage).reduce(new Coverage(), Coverage::plus);
  }

  /**
   * Findings of the sanitizer at all devices of this emulator so far, also after it was closed; the
   * first 1,000 of each device are kept.
   *
   * @return the reports, device by device, oldest first; none of devices whose profile is not
   *     {@link DeviceProfile#sanitized()}
   */
  public List<SanitizerFinding> sanitizerFindings() {
    return devices.stream().flatMap(device -> device.sanitizerFindings().stream()).toList();
  }

  /**
   * Brings two queue pairs of type RC from RESET to RTS, connected to each other: GID index 0, the
   * largest path MTU that both ports have, PSNs from 0, retries 7, timeout code 14 (67 ms), four
   * outstanding READs in each direction. The peer may READ, WRITE and use atomics.
   *
   * @param a one queue pair
   * @param b the other; may be of the same device
   * @throws VerbsException as {@link QueuePair#modify(QpAttr)}; EINVAL if one is of type XRC_RECV
   */
  public static void connect(QueuePair a, QueuePair b) {
    QpConnector.make(a, b);
  }

  /**
   * Waits for the next completion, letting the network run.
   *
   * @param cq a queue of a device of this emulator
   * @return the completion
   * @throws VerbsException EDEADLK in virtual time, if no completion can come; the message lists
   *     what every wait is blocked on; EINVAL if the queue is destroyed, ENODEV if the emulator is
   *     closed, both also during the wait; EINTR if the thread is interrupted
   */
  public WorkCompletion await(CompletionQueue cq) {
    return HcaDevice.awaitCompletion(cq, null).orElseThrow();
  }

  /**
   * Waits for the next completion for a limited time, letting the network run.
   *
   * @param cq a queue of a device of this emulator
   * @param timeout how long to wait at most, in the time of the network; zero does not wait
   * @return the completion, empty if none was in time
   * @throws VerbsException as {@link #await(CompletionQueue)}; EDEADLK only after as many calls in
   *     vain as {@link CompletionQueue#poll(WorkCompletion[])} allows
   */
  public Optional<WorkCompletion> await(CompletionQueue cq, Duration timeout) {
    return HcaDevice.awaitCompletion(cq, Objects.requireNonNull(timeout, "timeout"));
  }

  /**
   * Runs the network for a duration. In virtual time all events that are due within it happen, and
   * the clock advances to its end; in real time the call takes that long.
   *
   * @param duration how long, in the time of the network; zero does nothing, and more than 100
   *     years count as 100 years
   * @throws IllegalArgumentException if the duration is negative
   * @throws VerbsException EPERM in virtual time, if another thread uses the network; EINTR if the
   *     thread is interrupted in real time
   */
  public void run(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a duration of " + duration + " is negative");
    }
    HcaDevice.run(scheduler, duration);
  }

  /**
   * Starts a thread, which takes turns in virtual time: {@link ApplicationThreads#start}.
   *
   * @param name its name, for reports
   * @param body what it does; {@link #close} rethrows what it throws
   * @return the thread
   */
  public ApplicationThread start(String name, Runnable body) {
    return threads.start(name, body);
  }

  /**
   * Lets the calling thread sleep: {@link ApplicationThreads#sleep}.
   *
   * @param duration how long, in the time of the network, zero or more
   */
  public void sleep(Duration duration) {
    threads.sleep(duration);
  }

  /** {@return the application threads of this emulator: their schedule, executors and failures} */
  public ApplicationThreads threads() {
    return threads;
  }

  /**
   * Time of the network.
   *
   * @return time since this emulator was made, in nanosecond resolution; on a new network in
   *     virtual time it starts at zero and moves only while a thread waits, polls or calls {@link
   *     #run}
   */
  public Duration now() {
    return Duration.ofNanos(scheduler.nowNanos() - originNanos);
  }

  /**
   * Reports what every wait is blocked on at this moment, for a program that hangs: which requests
   * are posted and not completed and why, which events were taken and not acknowledged, which armed
   * completion queues hold completions that raise no event, what connections and listening ids wait
   * for, which ports are down, which packets were dropped, which threads wait for each other by the
   * locks, queues and futures of {@link #threads}, what the fault plan did, and which verbs were
   * refused with EPERM because their thread does not take turns. The message of a wait in virtual
   * time that fails with EDEADLK says the same, but shortened. Any thread may ask for it at any
   * time and on any network; in real time and over UDP it is a snapshot.
   *
   * @return one line each, device by device; empty if there is nothing to report
   */
  public String report() {
    List<String> lines = new ArrayList<>(scheduler.blockedWork().refusals());
    devices.forEach(device -> lines.addAll(device.describeBlockedWork()));
    lines.addAll(threads.describeWaits());
    lines.addAll(hosts.describeBlockedWork());
    lines.addAll(new FaultBlockedReporter(this::faultCounts).describeBlockedWork());
    return String.join("\n", lines);
  }

  /**
   * The waits that failed with EDEADLK so far, also after the emulator was closed: the program may
   * have caught the exception.
   *
   * @return the message of each, oldest first; the first 16 are kept; none unless time is virtual
   */
  public List<String> deadlocks() {
    return scheduler.blockedWork().deadlocks();
  }

  /** Lists the devices; takes no lock. */
  @Override
  public String toString() {
    List<String> names = devices.stream().map(Device::name).toList();
    return "emulator of " + names + (isClosed ? " (closed)" : "");
  }

  /**
   * Closes the devices and the network, and reports the coverage of the devices to each {@link
   * CoverageSink}. Threads that wait for something of a device end their wait with ENODEV. From
   * then on every verb is refused with ENODEV; but completions and events that were there can still
   * be taken, and objects destroyed. Connections to devices of other processes or emulators end, as
   * when a Linux process exits. Finally waits for the threads that the emulator has started.
   *
   * @throws io.queuepair.emulator.fabric.FabricException in virtual time, if another thread waits
   *     or works in the network at this moment: nothing is closed then
   * @throws io.queuepair.emulator.threads.ApplicationThreadException if a thread failed, or does
   *     not end
   */
  @Override
  public void close() {
    scheduler
        .virtualNetwork()
        .ifPresent(VirtualNetwork::acquire); // Throws before anything is closed.
    scheduler.virtualNetwork().ifPresent(VirtualNetwork::release);
    try {
      synchronized (changing) {
        List<String> unknown = isClosed ? List.of() : faults.unknownHosts(devices);
        scheduler.virtualNetwork().ifPresent(VirtualNetwork::acquire);
        try {
          threads.endSleep();
          hosts.close(address -> devices.stream().noneMatch(device -> device.has(address)));
          devices.forEach(HcaDevice::close);
          fabric.close();
        } finally {
          scheduler.virtualNetwork().ifPresent(VirtualNetwork::release);
        }
        if (!isClosed) {
          isClosed = true;
          CoverageSinks.report(devices);
          faults.tellNotTaken(unknown);
        }
      }
    } finally {
      threads.close();
    }
  }
}

package io.queuepair.emulator;

import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.coverage.CoverageSink;
import io.queuepair.emulator.device.EmulatedDevice;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.emulator.fabric.PcapngCapture;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultTestimony;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Misuse;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WorkCompletion;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Devices on one network: where a test or a program starts.
 *
 * <pre>{@code
 * try (Emulator emulator = Emulator.inMemory()) {
 *   Context a = emulator.addDevice("10.0.0.1").open();
 *   Context b = emulator.addDevice("10.0.0.2").open();
 *   ...
 * }
 * }</pre>
 *
 * <p>Thread-safe as far as its network is. Virtual time belongs to one thread at a time: threads
 * may take turns, but whoever calls a verb while another thread is inside a verb or a wait is
 * refused with EPERM. Programs whose threads run at the same time need {@link
 * InMemoryFabric#realTime()}, or UDP.
 */
public final class Emulator implements AutoCloseable {
  private static final String NAME_PREFIX = "qp";

  /** Held while devices come and go, which may take a while; nobody else needs it. */
  private final Object changing = new Object();

  private final Scheduler scheduler;
  private Fabric fabric;
  private final String namePrefix;
  private final long originNanos;
  private final List<EmulatedDevice> devices = new CopyOnWriteArrayList<>();

  private final InjectedFaults faults;
  private volatile boolean isClosed;

  private Emulator(Fabric fabric, String namePrefix) {
    this.fabric = fabric;
    this.scheduler = fabric.scheduler();
    originNanos = scheduler.nowNanos();
    this.namePrefix = namePrefix;
    faults = new InjectedFaults(scheduler);
  }

  /**
   * An emulator on a network of its own, in memory and in virtual time: deterministic, for one
   * thread.
   *
   * @return a new emulator
   */
  public static Emulator inMemory() {
    return on(InMemoryFabric.virtualTime());
  }

  /**
   * An emulator on a given network, which it closes in the end.
   *
   * @param fabric the network
   * @return a new emulator
   */
  public static Emulator on(Fabric fabric) {
    return on(fabric, NAME_PREFIX);
  }

  /**
   * An emulator on a given network, which it closes in the end.
   *
   * @param fabric the network
   * @param namePrefix what the names of its devices begin with; a number follows
   * @return a new emulator
   */
  public static Emulator on(Fabric fabric, String namePrefix) {
    return new Emulator(fabric, namePrefix);
  }

  /**
   * Captures every packet of the devices to be added in a file for Wireshark (pcapng): Ethernet, IP
   * and UDP headers as on a real wire, also of packets in memory. The comment of a packet says why
   * a NAK was sent, that a request is sent again, and why the device that received it dropped it.
   *
   * @param file created, or overwritten; complete when the emulator is closed
   * @return this emulator
   * @throws io.queuepair.emulator.fabric.FabricException if the file cannot be written
   * @throws IllegalStateException if there are devices already, whose packets would be missing
   */
  public Emulator capture(Path file) {
    synchronized (changing) {
      if (!devices.isEmpty()) {
        throw new IllegalStateException("a capture begins before devices are added");
      }
      fabric = PcapngCapture.to(file, fabric);
      return this;
    }
  }

  /**
   * Lets things go wrong as planned, from now on: before devices are added, or while they work. The
   * times of a plan, and what it counts, begin with its injection. Unknown hosts are named in a
   * warning in the log, if there are devices already; the devices of other processes are not known,
   * so over UDP that is only said of statements about devices.
   *
   * @param plan what goes wrong; several plans add up
   * @return this emulator
   * @throws IllegalArgumentException if a host of the plan is unknown, there are devices already,
   *     and {@link #strictFaults} was called
   */
  public Emulator inject(FaultPlan plan) {
    synchronized (changing) {
      fabric = faults.inject(plan, fabric, devices);
      return this;
    }
  }

  /**
   * Ends all fault plans: nothing is done to further packets and calls, ports that a plan took down
   * come up again, and completion queues have room. What is late stays late, and a device that has
   * failed stays so. What was carried out still counts.
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
   * Makes it an error if a statement of a plan is never carried out, or names a host that nobody
   * has: a test of a failure that never happens proves nothing. {@link #close} then throws, once
   * everything is closed. Otherwise it is a warning in the log.
   *
   * @return this emulator
   */
  public Emulator strictFaults() {
    synchronized (changing) {
      faults.beStrict();
      return this;
    }
  }

  /**
   * Tells of statements that were never carried out, and of unknown hosts, instead of logging a
   * warning.
   *
   * @param output takes one sentence at a time, from {@link #inject} and {@link #close}
   * @return this emulator
   */
  public Emulator faultWarnings(Consumer<String> output) {
    synchronized (changing) {
      faults.warnWith(Objects.requireNonNull(output, "output"));
      return this;
    }
  }

  /**
   * How often each statement of the fault plans was carried out.
   *
   * @return times so far by statement; those about packets first
   */
  public Map<String, Long> faultsTaken() {
    return faults.taken();
  }

  /** {@return the statements of the fault plans that were not carried out so far} */
  public List<String> faultsNotTaken() {
    return faults.notTaken();
  }

  /**
   * Adds a device of the default profile, named {@code qp0}, {@code qp1} and so on.
   *
   * @param addresses its IP addresses, which become its GID table; at least one
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if an address cannot be had
   */
  public Device addDevice(String... addresses) {
    return addDevice(DeviceProfile.standard(), addresses);
  }

  /**
   * Adds a device, named {@code qp0}, {@code qp1} and so on unless the emulator has another prefix.
   *
   * @param profile which device to emulate; ports after the first have no address and are down
   * @param addresses IP addresses of port 1, which become its GID table; at least one
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if an address cannot be had
   * @throws IllegalArgumentException if an address is not an IP address
   */
  public Device addDevice(DeviceProfile profile, String... addresses) {
    return addDevice(profile, List.of(addresses), List.of());
  }

  /**
   * Adds a device both of whose ports have addresses.
   *
   * @param profile which device to emulate
   * @param port1 IP addresses of port 1, which become its GID table; at least one
   * @param port2 those of port 2; without any it is down
   * @return the device
   * @throws io.queuepair.emulator.fabric.FabricException if an address cannot be had
   * @throws IllegalArgumentException if an address is not an IP address, if port 1 has none, or if
   *     port 2 has some and the profile no such port
   */
  public Device addDevice(DeviceProfile profile, List<String> port1, List<String> port2) {
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
      scheduler.acquire();
      try {
        int index = devices.size();
        EmulatedDevice.Label label = new EmulatedDevice.Label(namePrefix + index, index);
        EmulatedDevice device =
            new EmulatedDevice(label, fabric, parsed, profile, faults.ofDevices());
        devices.add(device);
        faults.ofDevices().schedule(device);
        return device;
      } finally {
        scheduler.release();
      }
    }
  }

  /**
   * The devices added so far.
   *
   * @return in order of addition
   */
  public List<Device> devices() {
    return List.copyOf(devices);
  }

  /**
   * Pulls the cable of a port, or plugs it in again. A port that is down neither sends nor
   * receives; requests are tried again until their retries are exhausted. Every context of the
   * device gets {@code PORT_ERR} or {@code PORT_ACTIVE}, if that is a change.
   *
   * @param device a device of this emulator
   * @param portNum number of the port, from 1; one without addresses stays down
   * @param up whether the port is up from now on
   * @throws VerbsException EINVAL if there is no such port
   */
  public static void setPortUp(Device device, int portNum, boolean up) {
    ((EmulatedDevice) device).setPortUp(portNum, up);
  }

  /**
   * Gives a port another address, in the first empty slot of its GID table. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param device a device of this emulator
   * @param portNum number of the port, from 1; one that is down stays down
   * @param address an IP address
   * @throws io.queuepair.emulator.fabric.FabricException if the address cannot be had
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, ENOSPC if its GID table is full
   */
  public static void addAddress(Device device, int portNum, String address) {
    ((EmulatedDevice) device).addAddress(portNum, IpAddress.parse(address));
  }

  /**
   * Takes an address from a port and empties its slot of the GID table. Queue pairs that use it
   * stay as they are: what they send is dropped, and nothing reaches them. Datagrams by an address
   * handle that names the slot are refused when they are posted: EINVAL. Every context of the
   * device gets {@code GID_CHANGE}.
   *
   * @param device a device of this emulator
   * @param portNum number of the port, from 1
   * @param address an address of the port, but not its first
   * @throws IllegalArgumentException if it is not an IP address
   * @throws VerbsException EINVAL if there is no such port, if the address is not one of it, or is
   *     its first; EBUSY if the device is in a multicast group with it
   */
  public static void removeAddress(Device device, int portNum, String address) {
    ((EmulatedDevice) device).removeAddress(portNum, IpAddress.parse(address));
  }

  /**
   * Puts a P_Key into a slot of the table of a port. Queue pairs that use the slot send it, and
   * check for it, from now on; with 0, an empty slot, their packets are dropped. Every context of
   * the device gets {@code PKEY_CHANGE}, if that is a change.
   *
   * @param device a device of this emulator
   * @param portNum number of the port, from 1
   * @param index slot of the table, from 0
   * @param pkey unsigned 16-bit; 0 empties the slot
   * @throws VerbsException EINVAL if there is no such port or slot, or the key has more than 16
   *     bits
   */
  public static void setPkey(Device device, int portNum, int index, int pkey) {
    ((EmulatedDevice) device).setPkey(portNum, index, pkey);
  }

  /**
   * Limits the IP packets of a port, and with it the active MTU. Connected queue pairs keep the
   * path MTU that they have; datagrams and frames must fit from now on.
   *
   * @param device a device of this emulator
   * @param portNum number of the port, from 1
   * @param bytes the longest IP packet: 336, for a path MTU of 256, to what the network carries
   * @throws VerbsException EINVAL if there is no such port, or for other numbers
   */
  public static void setMtu(Device device, int portNum, int bytes) {
    ((EmulatedDevice) device).setMtu(portNum, bytes);
  }

  /**
   * Lets a device fail: all its queue pairs that are in use go to ERR, and every context gets
   * {@code DEVICE_FATAL}.
   *
   * @param device a device of this emulator
   */
  public static void fail(Device device) {
    ((EmulatedDevice) device).fail();
  }

  /**
   * How many packets a device has dropped, by reason; for example {@code BAD_ICRC}.
   *
   * @param device a device of this emulator
   * @return only the reasons that occurred
   */
  public static Map<String, Long> drops(Device device) {
    return ((EmulatedDevice) device).drops();
  }

  /**
   * How many packets all devices of this emulator have dropped, by reason.
   *
   * @return only the reasons that occurred
   */
  public Map<String, Long> drops() {
    Map<String, Long> drops = new LinkedHashMap<>();
    devices.forEach(device -> device.drops().forEach((k, v) -> drops.merge(k, v, Long::sum)));
    return drops;
  }

  /**
   * What a device has come across so far, also after the emulator was closed.
   *
   * @param device a device of this emulator
   * @return a snapshot
   */
  public static Coverage coverage(Device device) {
    return ((EmulatedDevice) device).coverage();
  }

  /**
   * What all devices of this emulator have come across so far.
   *
   * @return a snapshot
   */
  public Coverage coverage() {
    return devices().stream().map(Emulator::coverage).reduce(new Coverage(), Coverage::plus);
  }

  /**
   * What the sanitizer of a device has found so far, also after the emulator was closed; the first
   * 1,000 are kept.
   *
   * @param device a device of this emulator
   * @return the reports, oldest first; none unless its profile is {@link DeviceProfile#sanitized()}
   */
  public static List<Misuse> misuses(Device device) {
    return ((EmulatedDevice) device).misuses();
  }

  /**
   * What the sanitizer has found so far at all devices of this emulator, also after it was closed;
   * the first 1,000 of each device are kept.
   *
   * @return the reports, device by device, oldest first; none of devices whose profile is not
   *     {@link DeviceProfile#sanitized()}
   */
  public List<Misuse> misuses() {
    return devices.stream().flatMap(device -> device.misuses().stream()).toList();
  }

  /**
   * Brings two queue pairs of type RC from RESET to RTS, connected to each other: GID index 0, the
   * largest path MTU both ports have, PSNs from 0, retries 7, timeout code 14 (67 ms), four READs
   * each way; READs, WRITEs and atomics of the peer are allowed.
   *
   * @param a one queue pair
   * @param b the other; may be of the same device
   * @throws VerbsException as {@link QueuePair#modify(QpAttr)}
   */
  public static void connect(QueuePair a, QueuePair b) {
    Connection.make(a, b);
  }

  /**
   * Waits for the next completion, letting the network run.
   *
   * @param cq a queue of a device of this emulator
   * @return the completion
   * @throws VerbsException EDEADLK in virtual time, if none can come; it says what all wait for;
   *     EINVAL if the queue is destroyed, ENODEV if the emulator is closed, also meanwhile; EINTR
   *     if the thread is interrupted
   */
  public WorkCompletion await(CompletionQueue cq) {
    return EmulatedDevice.awaitCompletion(cq, null).orElseThrow();
  }

  /**
   * Waits for the next completion for a limited time, letting the network run.
   *
   * @param cq a queue of a device of this emulator
   * @param timeout how long to wait at most, in the time of the network; zero does not wait
   * @return the completion, empty if none was in time
   * @throws VerbsException as {@link #await(CompletionQueue)}; EDEADLK only if so many calls in a
   *     row found nothing as {@link CompletionQueue#poll(WorkCompletion[])} allows
   */
  public Optional<WorkCompletion> await(CompletionQueue cq, Duration timeout) {
    return EmulatedDevice.awaitCompletion(cq, Objects.requireNonNull(timeout, "timeout"));
  }

  /**
   * Lets the network run for a while: in virtual time everything happens that is due until then,
   * and the clock stands at the end of it; in real time the call takes that long.
   *
   * @param duration how long, in the time of the network, from zero, which does nothing, to 100
   *     years, to which longer ones are cut
   * @throws IllegalArgumentException if the duration is negative
   * @throws VerbsException EPERM if another thread uses a network that is for one at a time; EINTR
   *     if the thread is interrupted in real time
   */
  public void run(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a duration of " + duration + " is negative");
    }
    EmulatedDevice.run(scheduler, duration);
  }

  /**
   * The time of the network.
   *
   * @return since this emulator was made, to the nanosecond; on a new network in virtual time it
   *     starts at zero and moves only while somebody waits, polls or calls {@link #run}
   */
  public Duration now() {
    return Duration.ofNanos(scheduler.nowNanos() - originNanos);
  }

  /**
   * What every queue pair waits for at this moment, for a person whose program does not go on: what
   * is posted and not completed and why, which ports are down, what was dropped and what the fault
   * plan did. It is what a wait in virtual time says that fails with EDEADLK, but can be had at any
   * time, by any thread and on any network: in real time and over UDP it is a snapshot.
   *
   * @return one line each, device by device; empty if there is nothing to say
   */
  public String report() {
    List<String> lines = new ArrayList<>();
    devices.forEach(device -> lines.addAll(device.waitsFor()));
    lines.addAll(new FaultTestimony(this::faultsTaken).waitsFor());
    return String.join("\n", lines);
  }

  /** Its devices; takes no lock. */
  @Override
  public String toString() {
    List<String> names = devices.stream().map(Device::name).toList();
    return "emulator of " + names + (isClosed ? " (closed)" : "");
  }

  /**
   * Closes the devices and the network; each {@link CoverageSink} is told of the devices. Threads
   * that wait for something of a device end their wait with ENODEV. From then on every verb is
   * refused with ENODEV; but completions and events that were there can still be taken, and objects
   * destroyed.
   *
   * @throws io.queuepair.emulator.fabric.FabricException in virtual time, if another thread waits
   *     or works in the network at this moment: nothing is closed then
   */
  @Override
  public void close() {
    synchronized (changing) {
      List<String> unknown = isClosed ? List.of() : faults.unknownHosts(devices);
      scheduler.acquire();
      try {
        devices.forEach(EmulatedDevice::close);
        fabric.close();
      } finally {
        scheduler.release();
      }
      if (!isClosed) {
        isClosed = true;
        CoverageSinks.report(devices);
        faults.tellNotTaken(unknown);
      }
    }
  }
}

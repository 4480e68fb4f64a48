// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.DeviceInspector;
import io.queuepair.emulator.EmulatedDevice;
import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.coverage.Coverage;
import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.InMemoryOptions;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderLayout;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.emulator.observe.PacketTrace;
import io.queuepair.emulator.observe.QpSnapshot;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.tools.recording.Op;
import io.queuepair.tools.recording.RecordedArgs;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.tools.recording.Symbols;
import io.queuepair.tools.recording.VerbCalls;
import io.queuepair.tools.recording.VirtualClock;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Devices of one run, the network between them, and the output so far. */
final class ScenarioEnvironment implements AutoCloseable {
  private static final Map<String, Op> VERBS = VerbCalls.all();

  private static final Pattern HOST =
      Pattern.compile("(" + FaultStatements.BEFORE_HOST + ")( ?)([0-9a-f]+[.:][0-9a-f.:]+)");

  private final Symbols symbols = new Symbols();
  private final Map<String, RecordedDevice> devices = new LinkedHashMap<>();
  private final List<PostedBytes> posted = new ArrayList<>();
  final Transcript transcript = new Transcript(this::named);

  /** Number of transitions of each queue pair that have been reported. */
  private final IdentityHashMap<QueuePair, Long> transitions = new IdentityHashMap<>();

  /** Number of transitions of each device that have been reported. */
  private final Map<String, Long> reported = new LinkedHashMap<>();

  private final Map<String, RdmaEventChannel> cmChannels = new LinkedHashMap<>();
  private final Map<String, String> hosts = new LinkedHashMap<>();

  final PacketTrace trace;
  private final Emulator emulator;
  final VirtualClock clock;

  /** Creates an environment without devices, on a decorated network with faults. */
  ScenarioEnvironment(FaultPlan faults, UnaryOperator<Fabric> fabricWrapper) {
    InMemoryOptions options = InMemoryOptions.virtualTime().withPollRunsEvents(false);
    Fabric fabric = fabricWrapper.apply(InMemoryFabric.create(options));
    trace = PacketTrace.of(fabric);
    emulator =
        Emulator.builder()
            .fabric(LadderTrace.on(trace.fabric(), this::host, this::addPacket))
            .faultWarnings(said -> {})
            .faults(faults)
            .build();
    clock = new VirtualClock(fabric.scheduler());
  }

  /** Creates and opens a device with a name, and defines names for its addresses. */
  RecordedDevice addDevice(
      String name, DeviceProfile profile, List<String> port1, List<String> port2) {
    if (devices.containsKey(name)) {
      throw new StatementException("there is a device " + name + " already");
    }
    Context context = emulator.addDevice(profile, port1, port2).open();
    RecordedDevice device = new RecordedDevice(name, context, symbols, clock);
    devices.put(name, device);
    nameAddresses(device, 1, port1.size(), "gid");
    hosts.put(MacAddress.ofGuid(context.device().guid()).toString(), name);
    nameAddresses(device, 2, port2.size(), "port2_gid");
    return device;
  }

  private void nameAddresses(RecordedDevice device, int port, int count, String what) {
    for (int index = 0; index < count; index++) {
      Gid gid = device.context().queryGid(port, index);
      String name = device.name() + "." + what + index;
      symbols.define("$" + name, gid);
      boolean isFirst = port == 1 && index == 0;
      hosts.put(gid.toAddress().getHostAddress(), isFirst ? device.name() : name);
    }
  }

  /** Event channel of a device's connection manager, created on first use. */
  RdmaEventChannel cmChannel(RecordedDevice device) {
    return cmChannels.computeIfAbsent(
        device.name(),
        absent ->
            emulator.rdmaCm(EmulatedDevice.of(device.context().device())).createEventChannel());
  }

  int devices() {
    return devices.size();
  }

  boolean hasDevice(String name) {
    return devices.containsKey(name);
  }

  /** Finds a device by its name, or by the name of one of its objects. */
  RecordedDevice device(String name) {
    int dot = name.indexOf('.');
    RecordedDevice device = devices.get(dot < 0 ? name : name.substring(0, dot));
    if (device == null) {
      String known = devices.isEmpty() ? "is none yet: device a" : "are " + devices.keySet();
      throw new StatementException(
          "'" + name + "' does not begin with the name of a device; there " + known);
    }
    return device;
  }

  /** Finds an object by its name with the device, such as {@code a.qp}. */
  <T> T object(Class<T> type, String name) {
    RecordedDevice device = device(name);
    Object found = device.objects().get(name.substring(name.indexOf('.') + 1));
    if (!type.isInstance(found)) {
      throw new StatementException(
          "'%s' is no %s; the device has %s"
              .formatted(name, type.getSimpleName(), device.objects().keySet()));
    }
    return type.cast(found);
  }

  /** Calls a verb and adds its result to the output, if it shows something. */
  void call(String verb, RecordedDevice device, ObjectNode arguments) {
    ResultFormatter.of(verb, answer(verb, device, arguments)).forEach(transcript::add);
  }

  ObjectNode answer(String verb, RecordedDevice device, ObjectNode arguments) {
    ObjectNode answer =
        VERBS.get(verb).run(device, new RecordedArgs(verb, arguments, symbols), null);
    posted.addAll(PostedBytes.of(device.name(), verb, arguments, answer));
    return answer;
  }

  /** Returns the scatter/gather entries posted since the last call. */
  List<PostedBytes> takePosted() {
    List<PostedBytes> taken = List.copyOf(posted);
    posted.clear();
    return taken;
  }

  /** Adds a packet to the output, after the states that queue pairs entered before it was sent. */
  private void addPacket(String line) {
    reportStates();
    transcript.addPacket(line);
  }

  /** Adds to the output the states that queue pairs have entered since the last call. */
  void reportStates() {
    devices.forEach(
        (deviceName, device) -> {
          long total = DeviceInspector.transitions(device.context());
          if (reported.getOrDefault(deviceName, 0L) != total) {
            device.objects().keySet().forEach(name -> reportState(deviceName + "." + name));
            reported.put(deviceName, total);
          }
        });
  }

  /** Adds the states of one object, if it is a queue pair. */
  void reportState(String name) {
    String device = Statements.device(name);
    if (devices.get(device).objects().get(name.substring(device.length() + 1))
        instanceof QueuePair qp) {
      reported.merge(device, reportStates(name, qp), Long::sum);
    }
  }

  /** Adds the states of a queue pair; returns the number of transitions since the last call. */
  private long reportStates(String name, QueuePair qp) {
    QpSnapshot snapshot = DeviceInspector.of(qp);
    Long before = transitions.put(qp, snapshot.transitions());
    List<QpState> states = snapshot.lastStates();
    long news = snapshot.transitions() - (before == null ? 0 : before);
    int last = states.size() - 1;
    for (int i = (int) Math.max(0, last - news); i < last; i++) {
      String time = LadderLayout.time(clock.nowNanos());
      transcript.add(time + "  " + name + ": " + states.get(i) + " -> " + states.get(i + 1));
    }
    return news;
  }

  /** Name of the queue pair with a number at a host; empty if there is none. */
  String queuePair(String host, int number) {
    RecordedDevice device = devices.get(Statements.device(host));
    String symbol = device == null ? null : device.queuePairNamed(number);
    boolean isOwn = symbol != null && symbol.startsWith("$" + device.name() + ".");
    return isOwn ? symbol.substring(1, symbol.lastIndexOf('.')) : "";
  }

  /** Views of all queue pairs and queues at present. */
  List<ObjectView> objects() {
    List<ObjectView> views = new ArrayList<>();
    forEachObject(
        (name, object) -> {
          ObjectView view = ObjectView.of(name, object);
          if (view != null) {
            views.add(view);
          }
        });
    return views;
  }

  void forEachObject(BiConsumer<String, Object> action) {
    devices.forEach(
        (deviceName, device) ->
            device
                .objects()
                .forEach((name, object) -> action.accept(deviceName + "." + name, object)));
  }

  /** Name of a host: that of the device for its first address, with the GID for other addresses. */
  String host(String address) {
    return hosts.getOrDefault(address, address);
  }

  /** Replaces the addresses in a line by names. */
  private String named(String line) {
    return HOST.matcher(line)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(found.group(1) + found.group(2) + host(found.group(3))));
  }

  /** Names of the hosts, in the order of their devices. */
  List<String> hosts() {
    return hosts.values().stream().distinct().toList();
  }

  /** Describes pending timers and packets, on one line. */
  String waiting() {
    return String.join(" ", emulator.report().strip().split("\\s+"));
  }

  Coverage coverage() {
    return emulator.coverage();
  }

  @Override
  public void close() {
    emulator.close();
  }
}

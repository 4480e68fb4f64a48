// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.fabric.IpAddress;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaMcJoinFlag;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.Suggestion;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Statements for the connection manager: functions of librdmacm by their own names, on ids such as
 * {@code a.id}. Each device is alone on its host, which has one event channel.
 */
final class CmStatements {
  static final String CREATE = "rdma_create_id";
  static final String GET_EVENT = "rdma_get_cm_event";

  /** Suffixes of the objects that belong to an id with a queue pair. */
  private static final List<String> OF_ID = List.of(".qp", ".pd", ".scq", ".rcq");

  private static final Duration RESOLVE_TIMEOUT = Duration.ofSeconds(2);
  private static final int MOST_PORT = 0xffff;
  private static final int MOST_QPN = 0xff_ffff;
  private static final int MOST_READS = 0xff;
  private static final int MOST_BACKLOG = 1024;

  /** Function on an id, with the names of its arguments. */
  private record IdFunction(Set<String> arguments, Consumer<CmStatements> action) {}

  private static final Map<String, IdFunction> FUNCTIONS = functions();

  private final RecordedDevice device;
  private final ScenarioEnvironment environment;
  private final String name;
  private final Map<String, String> arguments = new LinkedHashMap<>();

  private CmStatements(ScenarioEnvironment environment, String name) {
    this.environment = environment;
    this.name = name;
    device = environment.device(name);
  }

  private static Map<String, IdFunction> functions() {
    Set<String> connection =
        Set.of("private_data", "responder_resources", "initiator_depth", "qp_num");
    Map<String, IdFunction> functions = new LinkedHashMap<>();
    functions.put(CREATE, new IdFunction(Set.of("ps"), CmStatements::create));
    functions.put("rdma_bind_addr", new IdFunction(Set.of("addr", "port"), CmStatements::bind));
    functions.put("rdma_listen", new IdFunction(Set.of("backlog"), CmStatements::listen));
    functions.put(
        "rdma_resolve_addr", new IdFunction(Set.of("dst", "port"), CmStatements::resolveAddr));
    functions.put(
        "rdma_resolve_route",
        new IdFunction(Set.of(), call -> call.id().resolveRoute(RESOLVE_TIMEOUT)));
    functions.put("rdma_create_qp", new IdFunction(Set.of(), CmStatements::createQp));
    functions.put("rdma_connect", new IdFunction(connection, CmStatements::connect));
    functions.put("rdma_accept", new IdFunction(connection, CmStatements::accept));
    functions.put(
        "rdma_reject",
        new IdFunction(
            Set.of("private_data"), call -> call.id().reject(call.bytes("private_data"))));
    functions.put("rdma_establish", new IdFunction(Set.of(), call -> call.id().establish()));
    functions.put(
        "rdma_notify", new IdFunction(Set.of(), call -> call.id().notify(EventType.COMM_EST)));
    functions.put("rdma_disconnect", new IdFunction(Set.of(), call -> call.id().disconnect()));
    functions.put(
        "rdma_join_multicast", new IdFunction(Set.of("addr", "flag"), CmStatements::join));
    functions.put(
        "rdma_leave_multicast",
        new IdFunction(Set.of("addr"), call -> call.id().leaveMulticast(call.address("addr", 0))));
    functions.put("rdma_destroy_id", new IdFunction(Set.of(), CmStatements::destroy));
    return functions;
  }

  static List<String> verbs() {
    List<String> verbs = new ArrayList<>(FUNCTIONS.keySet());
    verbs.add(GET_EVENT);
    return verbs;
  }

  /** Executes a statement; a refusal is added to the output. */
  static void carryOut(ScenarioEnvironment environment, String verb, List<String> words) {
    try {
      if (verb.equals(GET_EVENT)) {
        Statements.expect(words, 1, GET_EVENT + " DEVICE");
        takeEvents(environment, environment.device(words.get(0)));
      } else {
        read(environment, verb, words).run(verb);
      }
    } catch (VerbsException refused) {
      environment.transcript.add("refused: " + refused.getMessage());
    }
  }

  private static CmStatements read(
      ScenarioEnvironment environment, String verb, List<String> words) {
    Set<String> known = FUNCTIONS.get(verb).arguments();
    if (words.isEmpty() || !words.get(0).matches("\\w+\\.\\w+")) {
      throw new StatementException("what it is called on is missing, for example a.id");
    }
    CmStatements call = new CmStatements(environment, words.get(0));
    words.subList(1, words.size()).forEach(word -> call.add(word, known));
    return call;
  }

  private void add(String word, Set<String> known) {
    if (known.isEmpty()) {
      throw new StatementException("'" + word + "' is too much; it takes no arguments");
    }
    int equals = word.indexOf('=');
    String argument = equals < 0 ? word : word.substring(0, equals);
    if (equals < 0 || !known.contains(argument)) {
      throw new StatementException(
          "'%s' is none of %s with a value%s"
              .formatted(word, new TreeSet<>(known), Suggestion.of(argument, known)));
    }
    if (arguments.put(argument, word.substring(equals + 1)) != null) {
      throw new StatementException("the argument '" + argument + "' is there twice");
    }
  }

  private void run(String verb) {
    FUNCTIONS.get(verb).action().accept(this);
  }

  private RdmaCmId id() {
    return environment.object(RdmaCmId.class, name);
  }

  /** Name of the id without its device. */
  private String own() {
    return name.substring(name.indexOf('.') + 1);
  }

  private int number(String argument, int otherwise, int most) {
    String given = arguments.get(argument);
    return given == null ? otherwise : NumberArgument.of(argument, given, 0, most);
  }

  private byte[] bytes(String argument) {
    return arguments.getOrDefault(argument, "").replace("\"", "").getBytes(StandardCharsets.UTF_8);
  }

  private InetSocketAddress address(String argument, int port) {
    String given = arguments.get(argument);
    if (given == null) {
      throw new StatementException("the argument '" + argument + "' is missing");
    }
    if (environment.hasDevice(given)) {
      return new InetSocketAddress(
          environment.device(given).context().queryGid(1, 0).toAddress(), port);
    }
    try {
      return new InetSocketAddress(IpAddress.parse(given), port);
    } catch (IllegalArgumentException wrong) {
      throw new StatementException("'" + given + "' is neither a device nor an address");
    }
  }

  private void create() {
    if (device.has(own())) {
      throw new StatementException("there is a '" + name + "' already");
    }
    String space = arguments.getOrDefault("ps", RdmaPortSpace.TCP.name());
    RdmaPortSpace portSpace = Statements.constant(RdmaPortSpace.class, space, "no port space");
    device.put(own(), environment.cmChannel(device).createId(portSpace));
  }

  private void bind() {
    arguments.putIfAbsent("addr", device.name());
    id().bindAddr(address("addr", number("port", 0, MOST_PORT)));
  }

  private void listen() {
    id().listen(number("backlog", 0, MOST_BACKLOG));
  }

  private void resolveAddr() {
    id().resolveAddr(null, address("dst", number("port", 0, MOST_PORT)), RESOLVE_TIMEOUT);
  }

  private void createQp() {
    id().createQp(
            null, new QpInitAttr(id().qpType(), null, null, null, new QpCap(4, 4, 1, 1, 0), true));
    device.put(own() + ".qp", id().qp());
    device.put(own() + ".pd", id().pd());
    device.put(own() + ".scq", id().sendCq());
    device.put(own() + ".rcq", id().recvCq());
  }

  private void connect() {
    if (isDefault()) {
      id().connect();
    } else {
      id().connect(parameters());
    }
  }

  private void accept() {
    if (isDefault()) {
      id().accept();
    } else {
      id().accept(parameters());
    }
  }

  /** Whether the library uses default parameters, those of the queue pair. */
  private boolean isDefault() {
    return arguments.isEmpty() && id().qp() != null;
  }

  private RdmaConnParam parameters() {
    return RdmaConnParam.of(
            number("responder_resources", 1, MOST_READS), number("initiator_depth", 1, MOST_READS))
        .withPrivateData(bytes("private_data"))
        .withQp(number("qp_num", 0, MOST_QPN), false);
  }

  private void join() {
    String flag = arguments.getOrDefault("flag", RdmaMcJoinFlag.FULLMEMBER.name());
    RdmaMcJoinFlag joinFlag = Statements.constant(RdmaMcJoinFlag.class, flag, "no flag of joins");
    id().joinMulticastEx(address("addr", 0), joinFlag, null);
  }

  private void destroy() {
    id().close();
    device.remove(own());
    OF_ID.forEach(each -> device.remove(own() + each));
  }

  /** Takes and acknowledges all events; gives the id of a connection request a name. */
  private static void takeEvents(ScenarioEnvironment environment, RecordedDevice device) {
    Optional<RdmaCmEvent> next = environment.cmChannel(device).getCmEvent(Duration.ZERO);
    if (next.isEmpty()) {
      environment.transcript.add("nothing");
    }
    while (next.isPresent()) {
      try (RdmaCmEvent event = next.get()) {
        if (event.event() == RdmaCmEventType.CONNECT_REQUEST) {
          device.put(freeName(device), event.id());
        }
        environment.transcript.add(textOf(device, event));
        if (!event.explain().isEmpty()) {
          environment.transcript.add("  why: " + event.explain());
        }
      }
      next = environment.cmChannel(device).getCmEvent(Duration.ZERO);
    }
  }

  /** Name of the next request: {@code request}, then {@code request2}, and so on. */
  private static String freeName(RecordedDevice device) {
    String name = "request";
    for (int number = 2; device.has(name); number++) {
      name = "request" + number;
    }
    return name;
  }

  private static String textOf(RecordedDevice device, RdmaCmEvent event) {
    StringBuilder text = new StringBuilder();
    text.append(event.event()).append(" of ").append(device.name()).append('.');
    text.append(device.nameOf(event.id()));
    if (event.status() != 0) {
      text.append(", status ").append(event.status());
    }
    if (event.conn() != null) {
      appendBytes(text, event.conn().privateData());
    }
    if (event.ud() != null) {
      if (event.ud().qpNum() != 0) {
        text.append(
            String.format(
                Locale.ROOT, ", qp 0x%06x, qkey 0x%08x", event.ud().qpNum(), event.ud().qkey()));
      }
      appendBytes(text, event.ud().privateData());
    }
    return text.toString();
  }

  /** Appends private data without the zeros at its end. */
  private static void appendBytes(StringBuilder text, ByteBuffer bytes) {
    byte[] all = new byte[bytes.remaining()];
    bytes.duplicate().get(all);
    int length = all.length;
    while (length > 0 && all[length - 1] == 0) {
      length--;
    }
    if (length == 0) {
      return;
    }
    String latin = new String(all, 0, length, StandardCharsets.ISO_8859_1);
    boolean isText = latin.chars().allMatch(c -> c >= ' ' && c <= '~');
    text.append(", private data ")
        .append(isText ? '"' + latin + '"' : HexFormat.of().formatHex(all, 0, length));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.rdmacm.RdmaUdParam;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.WrongCallException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One side of an rdma_cm program: its channels and ids by name, and the calls on them. */
final class ReplayedCmProgram {
  private static final String OK = "ok";
  private static final int MOST_EVENTS = 8;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(500);

  /** Time for which the recording program waited for a further event. */
  private static final Duration WAIT_FOR_NEXT = Duration.ofMillis(150);

  private static final int DEFAULT_BACKLOG = 4;
  private static final int DEFAULT_MILLIS = 1_000;
  private static final int DEFAULT_RETRIES = 7;

  /** Addresses that belong to neither side. */
  private static final Map<String, String> OTHER_ADDRESSES =
      Map.of("any", "0.0.0.0", "any6", "::", "none", "203.0.113.77", "lo", "127.0.0.1");

  /** Errnos with which Linux refuses an option that it does not have, or of another length. */
  private static final Set<String> NO_OPTION = Set.of(Errno.EINVAL.name(), Errno.ENOSYS.name());

  /** Types of queue pairs by their values in C. */
  private static final Map<Integer, QpType> TYPES =
      Map.of(2, QpType.RC, 3, QpType.UC, 4, QpType.UD);

  /** Events that carry parameters of a connection or of datagrams. */
  private static final Set<RdmaCmEventType> WITH_DATA =
      EnumSet.of(
          RdmaCmEventType.CONNECT_REQUEST,
          RdmaCmEventType.CONNECT_RESPONSE,
          RdmaCmEventType.CONNECT_ERROR,
          RdmaCmEventType.UNREACHABLE,
          RdmaCmEventType.REJECTED,
          RdmaCmEventType.ESTABLISHED,
          RdmaCmEventType.DISCONNECTED);

  private static final Set<RdmaCmEventType> WITH_TERMS =
      EnumSet.of(
          RdmaCmEventType.CONNECT_REQUEST,
          RdmaCmEventType.CONNECT_RESPONSE,
          RdmaCmEventType.ESTABLISHED);

  private final RdmaCm host;
  private final Map<String, String> addresses;
  private final int firstPort;
  private final Map<String, RdmaEventChannel> channels = new HashMap<>();
  private final Map<String, RdmaCmId> ids = new HashMap<>();
  private int requests;

  /**
   * Creates a program that has made no calls yet.
   *
   * @param firstPort port to which recorded ports are relative
   */
  ReplayedCmProgram(RdmaCm host, Map<String, String> addresses, int firstPort) {
    this.host = host;
    this.addresses = addresses;
    this.firstPort = firstPort;
  }

  /** Makes one call and returns its result in the form of the recording. */
  ObjectNode run(Step step) {
    JsonNode args = step.args();
    ObjectNode answer = CallResults.empty();
    String name = args.path("id").asText();
    if (args.has("id") && !ids.containsKey(name)) {
      return answer.put("absent", name);
    }
    RdmaCmId id = ids.get(name);
    try {
      switch (step.op()) {
        case "channel" -> channels.put(args.path("name").asText(), host.createEventChannel());
        case "events" -> takeEvents(args, answer);
        case "ports" -> describePorts(id, answer);
        case "qpstate" -> describeQp(id, answer);
        case "dqp" -> destroyQp(id, answer);
        case "option" -> answer.put(CallResults.RET, setOption(id, step));
        default -> {
          call(step.op(), id, args);
          answer.put(CallResults.RET, OK);
        }
      }
    } catch (VerbsException refused) {
      answer.put(CallResults.RET, refused.errno().name());
    }
    return answer;
  }

  private void call(String op, RdmaCmId id, JsonNode args) {
    switch (op) {
      case "create" ->
          ids.put(
              args.path("name").asText(),
              channel(args).createId(RdmaPortSpace.valueOf(args.path("ps").asText("TCP"))));
      case "bind" -> id.bindAddr(address(args, "a", args.path("port").asInt()));
      case "listen" -> id.listen(args.path("backlog").asInt(DEFAULT_BACKLOG));
      case "resolve" ->
          id.resolveAddr(
              args.path("src").isTextual() ? address(args, "src", 0) : null,
              address(args, "dst", args.path("port").asInt()),
              timeout(args));
      case "route" -> id.resolveRoute(timeout(args));
      case "qp" -> id.createQp(null, initAttr(args.path("type").asInt(2)));
      case "reject" -> id.reject(bytes(args));
      case "establish" -> id.establish();
      case "notify" ->
          id.notify(args.path("ev").asInt(4) == 4 ? EventType.COMM_EST : EventType.QP_ACCESS_ERR);
      case "disconnect" -> id.disconnect();
      case "migrate" -> id.migrate(channel(args));
      case "destroy" -> destroy(args.path("id").asText());
      case "connect" -> {
        if (args.path("p").isNull()) {
          id.connect();
        } else {
          id.connect(param(args.path("p")));
        }
      }
      case "accept" -> {
        if (args.path("p").isNull()) {
          id.accept();
        } else {
          id.accept(param(args.path("p")));
        }
      }
      default -> throw new WrongCallException("operation " + op + " is not offered");
    }
  }

  private RdmaEventChannel channel(JsonNode args) {
    return channels.get(args.path("ch").asText());
  }

  private InetSocketAddress address(JsonNode args, String field, int port) {
    String name = args.path(field).asText();
    String other = OTHER_ADDRESSES.getOrDefault(name, name);
    return new InetSocketAddress(addresses.getOrDefault(name, other), port);
  }

  private static Duration timeout(JsonNode args) {
    return Duration.ofMillis(args.path("timeout").asInt(DEFAULT_MILLIS));
  }

  private static QpInitAttr initAttr(int type) {
    QpCap cap = new QpCap(4, 4, 1, 1, 0);
    return new QpInitAttr(TYPES.get(type), null, null, null, cap, false);
  }

  private static byte[] bytes(JsonNode args) {
    return HexFormat.of().parseHex(args.path("data").asText());
  }

  private static RdmaConnParam param(JsonNode args) {
    return new RdmaConnParam(
        ByteBuffer.wrap(bytes(args)),
        args.path("rr").asInt(1),
        args.path("id").asInt(1),
        false,
        args.path("retry").asInt(DEFAULT_RETRIES),
        args.path("rnr").asInt(DEFAULT_RETRIES),
        false,
        args.path("qpn").asInt());
  }

  private void destroy(String name) {
    RdmaCmId id = ids.get(name);
    id.destroyQp();
    id.close();
    ids.remove(name);
  }

  private static void destroyQp(RdmaCmId id, ObjectNode answer) {
    if (id.qp() == null) {
      answer.put(CallResults.RET, "no qp");
      return;
    }
    id.destroyQp();
  }

  private static void describeQp(RdmaCmId id, ObjectNode answer) {
    if (id.qp() == null) {
      answer.putNull("state");
      return;
    }
    answer.put(CallResults.RET, 0).put("state", id.qp().query().qpState().name());
  }

  private void describePorts(RdmaCmId id, ObjectNode answer) {
    putPort(answer, "src", id.srcPort());
    putPort(answer, "dst", id.dstPort());
    answer.put("verbs", id.verbs() != null).put("port_num", id.portNum());
  }

  /** Adds a port: relative to the first one named, or as one that the host has chosen. */
  private void putPort(ObjectNode answer, String field, int port) {
    if (port == 0) {
      answer.put(field, 0);
    } else if (firstPort > 0 && port >= firstPort && port < firstPort + 10) {
      answer.put(field, "P+" + (port - firstPort));
    } else {
      answer.put(field, "eph");
    }
  }

  /** Sets an option; without a type for it, gives the recorded refusal or inexpressible. */
  private static String setOption(RdmaCmId id, Step step) {
    JsonNode args = step.args();
    int value = args.path("val").asInt();
    int length = args.path("n").asInt();
    RdmaOption option =
        switch (args.path("level").asInt() + "." + args.path("opt").asInt() + "." + length) {
          case "0.0.1" -> new RdmaOption.Tos(value);
          case "0.1.4" -> new RdmaOption.ReuseAddress(value != 0);
          case "0.2.4" -> new RdmaOption.AddressFamilyOnly(value != 0);
          case "0.3.1" -> new RdmaOption.AckTimeout(value);
          default -> null;
        };
    if (option != null) {
      id.setOption(option);
      return OK;
    }
    String recorded = step.result().path(CallResults.RET).asText();
    return NO_OPTION.contains(recorded) ? recorded : Session.INEXPRESSIBLE;
  }

  /** Takes events until none comes for a while; leaves out TIMEWAIT_EXIT, as the recording does. */
  private void takeEvents(JsonNode args, ObjectNode answer) {
    Duration asked = Duration.ofMillis(Math.round(args.path("wait").asDouble() * 1_000));
    Duration wait = asked.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : asked;
    ArrayNode taken = answer.putArray("ev");
    while (taken.size() < MOST_EVENTS) {
      Optional<RdmaCmEvent> event = channel(args).getCmEvent(wait);
      if (event.isEmpty()) {
        return;
      }
      if (event.get().event() != RdmaCmEventType.TIMEWAIT_EXIT) {
        describe(event.get(), taken.addObject());
        wait = WAIT_FOR_NEXT;
      }
      event.get().ack();
    }
  }

  private void describe(RdmaCmEvent event, ObjectNode answer) {
    RdmaCmEventType type = event.event();
    if (type == RdmaCmEventType.CONNECT_REQUEST) {
      requests++;
      ids.put("r" + requests, event.id());
    }
    answer.put("event", type.name()).put("id", nameOf(event.id())).put("status", event.status());
    if (event.listenId() != null) {
      answer.put("listen", nameOf(event.listenId()));
    }
    if (!WITH_DATA.contains(type)) {
      return;
    }
    if (event.id().ps() == RdmaPortSpace.UDP) {
      describe(event.ud(), answer);
    } else {
      describe(type, event.conn(), answer);
    }
  }

  private String nameOf(RdmaCmId id) {
    return ids.entrySet().stream()
        .filter(named -> named.getValue() == id)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse("?");
  }

  private static void describe(RdmaUdParam param, ObjectNode answer) {
    putData(answer, param == null ? null : param.privateData());
    answer.put("qkey", "0x" + Integer.toHexString(param == null ? 0 : param.qkey()));
    answer.put("qpn?", param != null && param.qpNum() != 0);
  }

  private static void describe(RdmaCmEventType type, RdmaConnParam param, ObjectNode answer) {
    putData(answer, param == null ? null : param.privateData());
    if (!WITH_TERMS.contains(type) || param == null) {
      return;
    }
    answer
        .put("rr", param.responderResources())
        .put("depth", param.initiatorDepth())
        .put("retry", param.retryCount())
        .put("rnr", param.rnrRetryCount())
        .put("fc", param.flowControl() ? 1 : 0)
        .put("srq", param.srq() ? 1 : 0)
        .put("qpn?", param.qpNum() != 0);
  }

  /** Adds the length of private data, and its bytes without the zeros that fill the message. */
  private static void putData(ObjectNode answer, ByteBuffer data) {
    byte[] bytes = new byte[data == null ? 0 : data.remaining()];
    if (data != null) {
      data.duplicate().get(bytes);
    }
    answer.put("plen", bytes.length);
    answer.put("pdata", HexFormat.of().formatHex(bytes).replaceAll("(00)+$", ""));
  }
}

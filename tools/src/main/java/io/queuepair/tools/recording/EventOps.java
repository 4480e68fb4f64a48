// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Operations for completions, notifications, asynchronous events, and time. */
final class EventOps {
  private static final double DEFAULT_SECONDS = 1;
  private static final String TIMEOUT = "timeout";
  private static final String EVENT = "event";

  /** Argument: notifications to acknowledge, or whether to acknowledge an event; 1 if absent. */
  private static final String ACK = "ack";

  private EventOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("poll_cq", EventOps::poll);
    ops.put("req_notify_cq", EventOps::requestNotification);
    ops.put("get_cq_event", EventOps::notification);
    ops.put("async_event", EventOps::asyncEvent);
  }

  private static ObjectNode poll(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("cq", "n", TIMEOUT, "once");
    CompletionQueue cq = device.get(CompletionQueue.class, args.text("cq"));
    int wanted = args.int32("n");
    List<WorkCompletion> polled = new ArrayList<>();
    if (args.flag("once")) {
      polled.addAll(cq.poll(wanted));
    } else {
      device
          .clock()
          .run(
              args.nanos(TIMEOUT, DEFAULT_SECONDS),
              () -> {
                polled.addAll(cq.poll(Math.max(0, wanted - polled.size())));
                return polled.size() >= wanted;
              });
    }
    ObjectNode answer = CallResults.empty().put("n", polled.size());
    ArrayNode completions = answer.putArray("wcs");
    polled.forEach(completion -> completions.add(raw(device, completion)));
    return answer;
  }

  /** All fields of a completion; those that the API does not have are 0 on RoCE. */
  private static ObjectNode raw(RecordedDevice device, WorkCompletion completion) {
    ObjectNode raw = CallResults.empty();
    raw.put("wr_id", completion.wrId());
    raw.put("status", completion.status().name());
    raw.put("opcode", completion.opcode() == null ? "" : completion.opcode().name());
    raw.put("byte_len", Integer.toUnsignedLong(completion.byteLen()));
    raw.put("imm", immediate(device, completion));
    raw.set("wc_flags", CallResults.names(completion.wcFlags()));
    putQueuePair(raw, "qp_num", device, completion.qpNum());
    putQueuePair(raw, "src_qp", device, completion.srcQp());
    raw.put("vendor_err", completion.vendorErr());
    raw.put("pkey_index", 0);
    raw.put("slid", 0);
    raw.put("sl", 0);
    return raw.put("dlid_path_bits", 0);
  }

  /** Immediate data, or the name of an invalidated key. */
  private static String immediate(RecordedDevice device, WorkCompletion completion) {
    String key =
        completion.wcFlags().contains(WcFlag.WITH_INV)
            ? device.keyNamed(completion.invalidatedRkey())
            : null;
    return key == null ? String.format("%08x", completion.immData()) : key;
  }

  static void putQueuePair(ObjectNode answer, String field, RecordedDevice device, int number) {
    String name = device.queuePairNamed(number);
    if (name == null) {
      answer.put(field, Integer.toUnsignedLong(number));
    } else {
      answer.put(field, name);
    }
  }

  private static ObjectNode requestNotification(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("cq", "solicited_only");
    CompletionQueue cq = device.get(CompletionQueue.class, args.text("cq"));
    return CallResults.of(() -> cq.reqNotify(args.flag("solicited_only")));
  }

  private static ObjectNode notification(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("channel", TIMEOUT, ACK);
    CompletionChannel channel = device.get(CompletionChannel.class, args.text("channel"));
    Optional<CompletionQueue> cq =
        channel.getCqEvent(java.time.Duration.ofNanos(args.nanos(TIMEOUT, DEFAULT_SECONDS)));
    if (cq.isEmpty()) {
      return nothing();
    }
    cq.get().ackEvents(args.int32(ACK, 1));
    return CallResults.success().put(EVENT, device.nameOf(cq.get()));
  }

  private static ObjectNode nothing() {
    return CallResults.empty().putNull(EVENT);
  }

  private static ObjectNode asyncEvent(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(TIMEOUT, ACK);
    java.time.Duration timeout = java.time.Duration.ofNanos(args.nanos(TIMEOUT, DEFAULT_SECONDS));
    if (device.isClosed()) {
      return nothing();
    }
    Optional<AsyncEvent> next;
    try {
      next = device.context().getAsyncEvent(timeout);
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    if (next.isEmpty()) {
      return nothing();
    }
    AsyncEvent event = next.get();
    if (!args.has(ACK) || args.flag(ACK)) {
      device.context().ackAsyncEvent(event);
    }
    ObjectNode answer = CallResults.success().put(EVENT, event.eventType().name());
    return answer.set("element", element(device, event));
  }

  private static JsonNode element(RecordedDevice device, AsyncEvent event) {
    Optional<Object> queue = RecordedDevice.queueOf(event);
    if (queue.isPresent()) {
      return TextNode.valueOf(device.nameOf(queue.get()));
    }
    return IntNode.valueOf(event instanceof AsyncEvent.PortEvent port ? port.portNum() : 0);
  }
}

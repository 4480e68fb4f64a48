// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.emulator.Emulator;
import io.queuepair.tools.recording.CallResults;
import io.queuepair.tools.recording.Op;
import io.queuepair.tools.recording.RecordedDevice;
import io.queuepair.tools.recording.UnmappedValueException;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpCreateFlag;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Extended posting recorded through pyverbs: calls without arguments, named by their action. Two RC
 * queue pairs share a completion queue; messages are 8 bytes, immediate data is 5.
 */
final class PostingOps {
  private static final int FIRST_RECEIVE = 900;
  private static final int BYTES = 8;
  private static final int IMMEDIATE_BYTES = 5;
  private static final int LOWEST_NUMBER = 16;
  private static final int MANY = 64;
  private static final long POLL_NANOS = 100_000_000;
  private static final QpCap CAP = new QpCap(8, 8, 1, 1, 32);
  private static final String CREATE = "Failed to create QP";
  private static final String COMPLETE = "ibv_wr_complete failed.";

  private PostingOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("create_qp_ex_a", (device, args, seen) -> createFirst(device));
    ops.put(
        "create_qp_ex_b",
        (device, args, seen) -> PyverbsOps.answer(CREATE, () -> create(device, "b")));
    ops.put("create_qp_ex_send_ops_tso", refusal(QpType.RC, SendOpsFlag.WITH_TSO));
    ops.put("create_qp_ex_UD_with_write", refusal(QpType.UD, SendOpsFlag.WITH_RDMA_WRITE));
    ops.put("create_qp_ex_UC_with_read", refusal(QpType.UC, SendOpsFlag.WITH_RDMA_READ));
    ops.put(
        "create_qp_ex_send_ops_raw_flags",
        (device, args, seen) -> {
          throw new UnmappedValueException("bits that are no operation");
        });
    ops.put("create_qp_ex_create_flags", (device, args, seen) -> createWithFlag(device));
    ops.put("connect", (device, args, seen) -> PyverbsOps.answer("", () -> connect(device)));
    ops.put("poll", (device, args, seen) -> poll(device));
    ops.put("wr_send", batch(PostingOps::send));
    ops.put("wr_send_imm", batch(PostingOps::sendImmediate));
    ops.put("wr_rdma_write", batch(PostingOps::write));
    ops.put("inline_too_big", batch(PostingOps::sendTooMuchInline));
    ops.put("more_wrs_than_queue_in_one_batch", batch(PostingOps::sendTooMany));
    ops.put("wr_atomic_cmp_swp", batch((device, wr) -> wr.atomicCmpSwp(0, 0, 0, 0)));
    ops.put("wr_abort", (device, args, seen) -> PyverbsOps.answer("", () -> abort(device)));
  }

  private static QpInitAttrEx attributes(RecordedDevice device, QpType type) {
    return QpInitAttrEx.of(QpInitAttr.of(type, completions(device), CAP));
  }

  private static CompletionQueue completions(RecordedDevice device) {
    return made(device, CompletionQueue.class, "cq", () -> device.context().createCq(MANY));
  }

  private static ProtectionDomain domain(RecordedDevice device) {
    return made(device, ProtectionDomain.class, "pd", () -> device.context().allocPd());
  }

  private static MemoryRegion memory(RecordedDevice device) {
    return made(
        device,
        MemoryRegion.class,
        "mr",
        () ->
            domain(device)
                .regMr(
                    ByteBuffer.allocateDirect(MANY),
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE));
  }

  /** Creates on first use an object that was made before the first recorded call. */
  private static <T> T made(RecordedDevice device, Class<T> type, String name, Supplier<T> maker) {
    if (!device.has(name)) {
      device.put(name, maker.get());
    }
    return device.get(type, name);
  }

  private static ExtendedQueuePair create(RecordedDevice device, String name) {
    ExtendedQueuePair qp =
        domain(device)
            .createQpEx(
                attributes(device, QpType.RC)
                    .withSendOps(
                        SendOpsFlag.WITH_SEND,
                        SendOpsFlag.WITH_SEND_WITH_IMM,
                        SendOpsFlag.WITH_RDMA_WRITE));
    device.put(name, qp);
    return qp;
  }

  private static ObjectNode createFirst(RecordedDevice device) {
    ExtendedQueuePair[] created = new ExtendedQueuePair[1];
    ObjectNode answer = PyverbsOps.answer(CREATE, () -> created[0] = create(device, "a"));
    if (created[0] != null) {
      answer.putObject("value").put("qp_num_gt_16", created[0].qpNum() > LOWEST_NUMBER);
    }
    return answer;
  }

  private static Op refusal(QpType type, SendOpsFlag operation) {
    return (device, args, seen) ->
        PyverbsOps.answer(
            CREATE,
            () -> domain(device).createQpEx(attributes(device, type).withSendOps(operation)));
  }

  private static ObjectNode createWithFlag(RecordedDevice device) {
    return PyverbsOps.answer(
        CREATE,
        () ->
            domain(device)
                .createQpEx(
                    attributes(device, QpType.RC)
                        .withCreateFlags(QpCreateFlag.BLOCK_SELF_MCAST_LB)));
  }

  private static ExtendedQueuePair sender(RecordedDevice device) {
    return made(device, ExtendedQueuePair.class, "a", () -> create(device, "a"));
  }

  private static void connect(RecordedDevice device) {
    ExtendedQueuePair receiver = device.get(ExtendedQueuePair.class, "b");
    Emulator.connect(sender(device), receiver);
    Sge anywhere = memory(device).sge();
    receiver.postRecv(
        List.of(RecvWr.of(FIRST_RECEIVE, anywhere), RecvWr.of(FIRST_RECEIVE + 1, anywhere)));
  }

  private static Op batch(BiConsumer<RecordedDevice, WrBatch> requests) {
    return (device, args, seen) ->
        PyverbsOps.answer(
            COMPLETE,
            () -> {
              try (WrBatch wr = sender(device).wrStart()) {
                wr.wrFlags(SendFlag.SIGNALED);
                requests.accept(device, wr);
                wr.complete();
              }
            });
  }

  private static void send(RecordedDevice device, WrBatch wr) {
    wr.wrId(1).send().setSge(memory(device).sge(0, BYTES));
  }

  private static void sendImmediate(RecordedDevice device, WrBatch wr) {
    wr.wrId(2).sendImm(1).setInlineData(ByteBuffer.allocate(IMMEDIATE_BYTES));
  }

  private static void write(RecordedDevice device, WrBatch wr) {
    MemoryRegion memory = memory(device);
    wr.wrId(3).rdmaWrite(memory.rkey(), memory.addr()).setSge(memory.sge(0, BYTES));
  }

  private static void sendTooMuchInline(RecordedDevice device, WrBatch wr) {
    int granted = sender(device).query().cap().maxInlineData();
    wr.wrId(4).send().setInlineData(ByteBuffer.allocate(granted + 1));
  }

  private static void sendTooMany(RecordedDevice device, WrBatch wr) {
    int granted = sender(device).query().cap().maxSendWr();
    for (int i = 0; i <= granted; i++) {
      send(device, wr);
    }
  }

  private static void abort(RecordedDevice device) {
    try (WrBatch wr = sender(device).wrStart()) {
      send(device, wr);
      wr.abort();
    }
  }

  private static ObjectNode poll(RecordedDevice device) {
    device.clock().run(POLL_NANOS);
    ArrayNode value = JsonNodeFactory.instance.arrayNode();
    for (WorkCompletion completion : completions(device).poll(MANY)) {
      value
          .addArray()
          .add(completion.wrId())
          .add(completion.status().name())
          .add(completion.opcode().name())
          .add(completion.byteLen());
    }
    return CallResults.success().set("value", value);
  }
}

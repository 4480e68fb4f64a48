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
    ops.put("create_qp_ex_a", (side, args, seen) -> createFirst(side));
    ops.put(
        "create_qp_ex_b", (side, args, seen) -> PyverbsOps.answer(CREATE, () -> create(side, "b")));
    ops.put("create_qp_ex_send_ops_tso", refusal(QpType.RC, SendOpsFlag.WITH_TSO));
    ops.put("create_qp_ex_UD_with_write", refusal(QpType.UD, SendOpsFlag.WITH_RDMA_WRITE));
    ops.put("create_qp_ex_UC_with_read", refusal(QpType.UC, SendOpsFlag.WITH_RDMA_READ));
    ops.put(
        "create_qp_ex_send_ops_raw_flags",
        (side, args, seen) -> {
          throw new UnmappedValueException("bits that are no operation");
        });
    ops.put("create_qp_ex_create_flags", (side, args, seen) -> createWithFlag(side));
    ops.put("connect", (side, args, seen) -> PyverbsOps.answer("", () -> connect(side)));
    ops.put("poll", (side, args, seen) -> poll(side));
    ops.put("wr_send", batch(PostingOps::send));
    ops.put("wr_send_imm", batch(PostingOps::sendImmediate));
    ops.put("wr_rdma_write", batch(PostingOps::write));
    ops.put("inline_too_big", batch(PostingOps::sendTooMuchInline));
    ops.put("more_wrs_than_queue_in_one_batch", batch(PostingOps::sendTooMany));
    ops.put("wr_atomic_cmp_swp", batch((side, wr) -> wr.atomicCmpSwp(0, 0, 0, 0)));
    ops.put("wr_abort", (side, args, seen) -> PyverbsOps.answer("", () -> abort(side)));
  }

  private static QpInitAttrEx attributes(RecordedDevice side, QpType type) {
    return QpInitAttrEx.of(QpInitAttr.of(type, completions(side), CAP));
  }

  private static CompletionQueue completions(RecordedDevice side) {
    return made(side, CompletionQueue.class, "cq", () -> side.context().createCq(MANY));
  }

  private static ProtectionDomain domain(RecordedDevice side) {
    return made(side, ProtectionDomain.class, "pd", () -> side.context().allocPd());
  }

  private static MemoryRegion memory(RecordedDevice side) {
    return made(
        side,
        MemoryRegion.class,
        "mr",
        () ->
            domain(side)
                .regMr(
                    ByteBuffer.allocateDirect(MANY),
                    AccessFlag.LOCAL_WRITE,
                    AccessFlag.REMOTE_WRITE));
  }

  /**
   * Creates on first use an object that the recording program made before its first recorded call.
   */
  private static <T> T made(RecordedDevice side, Class<T> type, String name, Supplier<T> maker) {
    if (!side.has(name)) {
      side.put(name, maker.get());
    }
    return side.get(type, name);
  }

  private static ExtendedQueuePair create(RecordedDevice side, String name) {
    ExtendedQueuePair qp =
        domain(side)
            .createQpEx(
                attributes(side, QpType.RC)
                    .withSendOps(
                        SendOpsFlag.WITH_SEND,
                        SendOpsFlag.WITH_SEND_WITH_IMM,
                        SendOpsFlag.WITH_RDMA_WRITE));
    side.put(name, qp);
    return qp;
  }

  private static ObjectNode createFirst(RecordedDevice side) {
    ExtendedQueuePair[] created = new ExtendedQueuePair[1];
    ObjectNode answer = PyverbsOps.answer(CREATE, () -> created[0] = create(side, "a"));
    if (created[0] != null) {
      answer.putObject("value").put("qp_num_gt_16", created[0].qpNum() > LOWEST_NUMBER);
    }
    return answer;
  }

  private static Op refusal(QpType type, SendOpsFlag operation) {
    return (side, args, seen) ->
        PyverbsOps.answer(
            CREATE, () -> domain(side).createQpEx(attributes(side, type).withSendOps(operation)));
  }

  private static ObjectNode createWithFlag(RecordedDevice side) {
    return PyverbsOps.answer(
        CREATE,
        () ->
            domain(side)
                .createQpEx(
                    attributes(side, QpType.RC).withCreateFlags(QpCreateFlag.BLOCK_SELF_MCAST_LB)));
  }

  private static ExtendedQueuePair sender(RecordedDevice side) {
    return made(side, ExtendedQueuePair.class, "a", () -> create(side, "a"));
  }

  private static void connect(RecordedDevice side) {
    ExtendedQueuePair receiver = side.get(ExtendedQueuePair.class, "b");
    Emulator.connect(sender(side), receiver);
    Sge anywhere = memory(side).sge();
    receiver.postRecv(
        List.of(RecvWr.of(FIRST_RECEIVE, anywhere), RecvWr.of(FIRST_RECEIVE + 1, anywhere)));
  }

  private static Op batch(BiConsumer<RecordedDevice, WrBatch> requests) {
    return (side, args, seen) ->
        PyverbsOps.answer(
            COMPLETE,
            () -> {
              try (WrBatch wr = sender(side).wrStart()) {
                wr.wrFlags(SendFlag.SIGNALED);
                requests.accept(side, wr);
                wr.complete();
              }
            });
  }

  private static void send(RecordedDevice side, WrBatch wr) {
    wr.wrId(1).send().setSge(memory(side).sge(0, BYTES));
  }

  private static void sendImmediate(RecordedDevice side, WrBatch wr) {
    wr.wrId(2).sendImm(1).setInlineData(ByteBuffer.allocate(IMMEDIATE_BYTES));
  }

  private static void write(RecordedDevice side, WrBatch wr) {
    MemoryRegion memory = memory(side);
    wr.wrId(3).rdmaWrite(memory.rkey(), memory.addr()).setSge(memory.sge(0, BYTES));
  }

  private static void sendTooMuchInline(RecordedDevice side, WrBatch wr) {
    int granted = sender(side).query().cap().maxInlineData();
    wr.wrId(4).send().setInlineData(ByteBuffer.allocate(granted + 1));
  }

  private static void sendTooMany(RecordedDevice side, WrBatch wr) {
    int granted = sender(side).query().cap().maxSendWr();
    for (int i = 0; i <= granted; i++) {
      send(side, wr);
    }
  }

  private static void abort(RecordedDevice side) {
    try (WrBatch wr = sender(side).wrStart()) {
      send(side, wr);
      wr.abort();
    }
  }

  private static ObjectNode poll(RecordedDevice side) {
    side.clock().run(POLL_NANOS);
    ArrayNode value = JsonNodeFactory.instance.arrayNode();
    for (WorkCompletion completion : completions(side).poll(MANY)) {
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

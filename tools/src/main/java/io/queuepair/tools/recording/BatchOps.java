// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrBatch;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Operations of extended posting: a batch of requests is posted as a whole or not at all. */
final class BatchOps {
  private BatchOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("wr_start", BatchOps::start);
    ops.put("wr_send", builder((wr, args) -> wr.send()));
    ops.put("wr_send_imm", builder((wr, args) -> wr.sendImm(RecordedArgs.hex(args.text("imm")))));
    ops.put(
        "wr_rdma_write",
        builder((wr, args) -> wr.rdmaWrite(args.int32("rkey"), args.number("remote_addr"))));
    ops.put(
        "wr_rdma_read",
        builder((wr, args) -> wr.rdmaRead(args.int32("rkey"), args.number("remote_addr"))));
    ops.put("wr_complete", (device, args, seen) -> end(device, args, WrBatch::complete));
    ops.put("wr_abort", (device, args, seen) -> end(device, args, WrBatch::abort));
  }

  /** Name of a queue pair's batch; a queue pair has one at a time. */
  private static String nameOf(RecordedArgs args) {
    return "batch of " + args.text("qp");
  }

  private static ObjectNode start(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    ExtendedQueuePair qp = device.get(ExtendedQueuePair.class, args.allow("qp").text("qp"));
    return CallResults.of(() -> device.put(nameOf(args), qp.wrStart()));
  }

  /** Operation that adds a request: identifier and flags first, then the data. */
  private static Op builder(BiConsumer<WrBatch, RecordedArgs> begin) {
    return (device, args, seen) -> {
      args.allow("qp", "wr_id", "flags", "sge", "rkey", "remote_addr", "imm");
      WrBatch wr = device.get(WrBatch.class, nameOf(args));
      List<Sge> sges = WorkOps.entries(device, args);
      return CallResults.of(
          () -> {
            wr.wrId(args.number("wr_id"));
            if (args.has("flags")) {
              wr.wrFlags(args.flags(SendFlag.class, "flags"));
            }
            begin.accept(wr, args);
            if (args.has("sge")) {
              wr.setSgeList(sges);
            }
          });
    };
  }

  private static ObjectNode end(RecordedDevice device, RecordedArgs args, Consumer<WrBatch> how) {
    WrBatch wr = device.get(WrBatch.class, nameOf(args.allow("qp")));
    device.remove(nameOf(args));
    return CallResults.of(() -> how.accept(wr));
  }
}

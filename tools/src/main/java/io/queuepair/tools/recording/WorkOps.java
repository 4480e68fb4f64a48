// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.LocalInvWr;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.TsoWr;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Operations that post work requests. */
final class WorkOps {
  private WorkOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("post_send", WorkOps::postSend);
    ops.put("post_recv", WorkOps::postReceive);
    ops.put("post_srq_recv", WorkOps::postSharedReceive);
  }

  private static ObjectNode postSend(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    QueuePair qp = device.get(QueuePair.class, args.allow("qp", "wrs").text("qp"));
    List<SendWr> wrs = new ArrayList<>();
    for (RecordedArgs wr : requests(args)) {
      wrs.add(sendRequest(device, wr));
    }
    return CallResults.of(() -> qp.postSend(wrs));
  }

  /** Returns the work requests; refuses none, which is NULL in C and no list of the API. */
  private static List<RecordedArgs> requests(RecordedArgs args) {
    List<RecordedArgs> requests = args.list("wrs");
    if (requests.isEmpty()) {
      throw new UnmappedValueException("the list is NULL");
    }
    return requests;
  }

  private static SendWr sendRequest(RecordedDevice device, RecordedArgs wr) {
    wr.allow(
        "wr_id",
        "opcode",
        "flags",
        "sge",
        "num_sge",
        "remote_addr",
        "rkey",
        "imm",
        "invalidate_rkey",
        "compare_add",
        "swap",
        "bind",
        "ah",
        "remote_qpn",
        "remote_qkey",
        "remote_srqn",
        "length");
    SendWr plain = unaddressed(device, wr);
    if (wr.has("remote_srqn")) {
      return plain.toSrq(wr.int32("remote_srqn"));
    }
    if (!wr.has("ah")) {
      return plain;
    }
    return plain.to(
        device.get(AddressHandle.class, wr.text("ah")),
        wr.int32("remote_qpn", 0),
        wr.int32("remote_qkey", 0));
  }

  private static SendWr unaddressed(RecordedDevice device, RecordedArgs wr) {
    long id = wr.number("wr_id");
    List<Sge> sges = entries(device, wr);
    Set<SendFlag> flags = wr.has("flags") ? wr.flags(SendFlag.class, "flags") : Set.of();
    long address = wr.number("remote_addr", 0);
    int rkey = wr.int32("rkey", 0);
    WrOpcode opcode = wr.constant(WrOpcode.class, "opcode");
    return switch (opcode) {
      case SEND -> new SendWr.Send(id, sges, flags);
      case SEND_WITH_IMM -> new SendWr.SendWithImm(id, sges, flags, immediate(wr));
      case SEND_WITH_INV -> new SendWithInvWr(id, sges, flags, wr.int32("invalidate_rkey", 0));
      case RDMA_WRITE -> new SendWr.RdmaWrite(id, sges, flags, address, rkey);
      case RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(id, sges, flags, address, rkey, immediate(wr));
      case RDMA_READ -> new SendWr.RdmaRead(id, sges, flags, address, rkey);
      case ATOMIC_CMP_AND_SWP ->
          new AtomicCmpAndSwpWr(
              id, sges, flags, address, rkey, wr.number("compare_add", 0), wr.number("swap", 0));
      case ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAddWr(id, sges, flags, address, rkey, wr.number("compare_add", 0));
      case ATOMIC_WRITE -> new AtomicWriteWr(id, sges, flags, address, rkey);
      case FLUSH ->
          new FlushWr(
              id,
              flags,
              address,
              rkey,
              wr.number("length", 0),
              Set.of(PlacementType.GLOBAL),
              SelectivityLevel.RANGE);
      case LOCAL_INV -> new LocalInvWr(id, flags, wr.int32("invalidate_rkey", 0));
      case BIND_MW -> WindowOps.request(device, wr, flags);
      case TSO -> new TsoWr(id, sges, flags, ByteBuffer.allocate(0), 0);
      case DRIVER1 -> throw new UnmappedValueException("the API has no request " + opcode);
    };
  }

  /** Immediate data as four bytes in network order. */
  private static int immediate(RecordedArgs wr) {
    return wr.has("imm") ? RecordedArgs.hex(wr.text("imm")) : 0;
  }

  /** Scatter/gather list of a request; may be empty. */
  static List<Sge> entries(RecordedDevice device, RecordedArgs wr) {
    List<Sge> sges = new ArrayList<>();
    if (!wr.has("sge")) {
      return sges;
    }
    List<RecordedArgs> list = wr.list("sge");
    if (wr.number("num_sge", list.size()) != list.size()) {
      throw new UnmappedValueException("num_sge is not the length of the list");
    }
    for (RecordedArgs entry : list) {
      entry.allow("mr", "off", "len", "lkey", "addr");
      long length = entry.number("len", 0);
      if (length < 0 || length > Integer.MAX_VALUE) {
        throw new UnmappedValueException(length + " bytes do not fit an int");
      }
      long address = entry.number("addr", 0);
      int lkey = entry.int32("lkey", 0);
      if (entry.has("mr")) {
        Memory memory = device.get(Memory.class, entry.text("mr"));
        address = entry.number("addr", memory.region().addr() + entry.number("off", 0));
        lkey = entry.int32("lkey", memory.region().lkey());
      }
      sges.add(new Sge(address, (int) length, lkey));
    }
    return sges;
  }

  private static ObjectNode postReceive(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    QueuePair qp = device.get(QueuePair.class, args.allow("qp", "wrs").text("qp"));
    if (qp.initAttr().qpType() == QpType.UD) {
      args.list("wrs").forEach(wr -> noteHeader(device, wr));
    }
    List<RecvWr> wrs = receiveRequests(device, requests(args));
    return CallResults.of(() -> qp.postRecv(wrs));
  }

  /** Records where a datagram's header is: its IPv4 identification differs in each run. */
  private static void noteHeader(RecordedDevice device, RecordedArgs wr) {
    List<int[]> ranges = new ArrayList<>();
    Memory into = null;
    for (RecordedArgs entry : wr.has("sge") ? wr.list("sge") : List.<RecordedArgs>of()) {
      if (!entry.has("mr") || entry.has("addr")) {
        return;
      }
      Memory memory = device.get(Memory.class, entry.text("mr"));
      long offset = entry.number("off", 0);
      long length = entry.number("len", 0);
      if ((into != null && into != memory) || !memory.contains(offset, length)) {
        return;
      }
      into = memory;
      ranges.add(new int[] {(int) offset, (int) length});
    }
    if (into != null) {
      into.addHeader(GrhLocation.in(ranges));
    }
  }

  private static ObjectNode postSharedReceive(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("srq", "wrs");
    SharedReceiveQueue srq = device.get(SharedReceiveQueue.class, args.text("srq"));
    args.list("wrs").forEach(wr -> noteHeader(device, wr));
    List<RecvWr> wrs = receiveRequests(device, args.list("wrs"));
    return CallResults.of(() -> srq.postRecv(wrs));
  }

  private static List<RecvWr> receiveRequests(RecordedDevice device, List<RecordedArgs> requests) {
    List<RecvWr> wrs = new ArrayList<>();
    for (RecordedArgs wr : requests) {
      wrs.add(new RecvWr(wr.allow("wr_id", "sge", "num_sge").number("wr_id"), entries(device, wr)));
    }
    return wrs;
  }
}

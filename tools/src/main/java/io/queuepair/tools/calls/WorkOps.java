package io.queuepair.tools.calls;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AtomicCmpAndSwp;
import io.queuepair.verbs.AtomicFetchAndAdd;
import io.queuepair.verbs.AtomicWrite;
import io.queuepair.verbs.Flush;
import io.queuepair.verbs.LocalInv;
import io.queuepair.verbs.PlacementType;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SelectivityLevel;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWithInv;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.Tso;
import io.queuepair.verbs.WrOpcode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Posting of work requests. */
final class WorkOps {
  private WorkOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("post_send", WorkOps::postSend);
    ops.put("post_recv", WorkOps::postReceive);
    ops.put("post_srq_recv", WorkOps::postSharedReceive);
  }

  private static ObjectNode postSend(Party side, Args args, ObjectNode recorded) {
    QueuePair qp = side.get(QueuePair.class, args.allow("qp", "wrs").text("qp"));
    List<SendWr> wrs = new ArrayList<>();
    for (Args wr : requests(args)) {
      wrs.add(sendRequest(side, wr));
    }
    return Answers.of(() -> qp.postSend(wrs));
  }

  /** The list; in C an empty one is NULL, which a list here cannot be. */
  private static List<Args> requests(Args args) {
    List<Args> requests = args.list("wrs");
    if (requests.isEmpty()) {
      throw new InexpressibleException("the list is NULL");
    }
    return requests;
  }

  private static SendWr sendRequest(Party side, Args wr) {
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
    SendWr plain = unaddressed(side, wr);
    if (wr.has("remote_srqn")) {
      return plain.toSrq(wr.int32("remote_srqn"));
    }
    if (!wr.has("ah")) {
      return plain;
    }
    return plain.to(
        side.get(AddressHandle.class, wr.text("ah")),
        wr.int32("remote_qpn", 0),
        wr.int32("remote_qkey", 0));
  }

  private static SendWr unaddressed(Party side, Args wr) {
    long id = wr.number("wr_id");
    List<Sge> sges = entries(side, wr);
    Set<SendFlag> flags = wr.has("flags") ? wr.flags(SendFlag.class, "flags") : Set.of();
    long address = wr.number("remote_addr", 0);
    int rkey = wr.int32("rkey", 0);
    WrOpcode opcode = wr.constant(WrOpcode.class, "opcode");
    return switch (opcode) {
      case SEND -> new SendWr.Send(id, sges, flags);
      case SEND_WITH_IMM -> new SendWr.SendWithImm(id, sges, flags, immediate(wr));
      case SEND_WITH_INV -> new SendWithInv(id, sges, flags, wr.int32("invalidate_rkey", 0));
      case RDMA_WRITE -> new SendWr.RdmaWrite(id, sges, flags, address, rkey);
      case RDMA_WRITE_WITH_IMM ->
          new SendWr.RdmaWriteWithImm(id, sges, flags, address, rkey, immediate(wr));
      case RDMA_READ -> new SendWr.RdmaRead(id, sges, flags, address, rkey);
      case ATOMIC_CMP_AND_SWP ->
          new AtomicCmpAndSwp(
              id, sges, flags, address, rkey, wr.number("compare_add", 0), wr.number("swap", 0));
      case ATOMIC_FETCH_AND_ADD ->
          new AtomicFetchAndAdd(id, sges, flags, address, rkey, wr.number("compare_add", 0));
      case ATOMIC_WRITE -> new AtomicWrite(id, sges, flags, address, rkey);
      case FLUSH ->
          new Flush(
              id,
              flags,
              address,
              rkey,
              wr.number("length", 0),
              Set.of(PlacementType.GLOBAL),
              SelectivityLevel.RANGE);
      case LOCAL_INV -> new LocalInv(id, flags, wr.int32("invalidate_rkey", 0));
      case BIND_MW -> WindowOps.request(side, wr, flags);
      case TSO -> new Tso(id, sges, flags, ByteBuffer.allocate(0), 0);
      case DRIVER1 -> throw new InexpressibleException("the API has no request " + opcode);
    };
  }

  /** Four bytes in the order in which they go on the wire. */
  private static int immediate(Args wr) {
    return wr.has("imm") ? Args.hex(wr.text("imm")) : 0;
  }

  /** The scatter/gather list of a request, maybe empty. */
  static List<Sge> entries(Party side, Args wr) {
    List<Sge> sges = new ArrayList<>();
    if (!wr.has("sge")) {
      return sges;
    }
    List<Args> list = wr.list("sge");
    if (wr.number("num_sge", list.size()) != list.size()) {
      throw new InexpressibleException("num_sge is not the length of the list");
    }
    for (Args entry : list) {
      entry.allow("mr", "off", "len", "lkey", "addr");
      long length = entry.number("len", 0);
      if (length < 0 || length > Integer.MAX_VALUE) {
        throw new InexpressibleException(length + " bytes do not fit an int");
      }
      long address = entry.number("addr", 0);
      int lkey = entry.int32("lkey", 0);
      if (entry.has("mr")) {
        Memory memory = side.get(Memory.class, entry.text("mr"));
        address = entry.number("addr", memory.region().addr() + entry.number("off", 0));
        lkey = entry.int32("lkey", memory.region().lkey());
      }
      sges.add(new Sge(address, (int) length, lkey));
    }
    return sges;
  }

  private static ObjectNode postReceive(Party side, Args args, ObjectNode recorded) {
    QueuePair qp = side.get(QueuePair.class, args.allow("qp", "wrs").text("qp"));
    if (qp.initAttr().qpType() == QpType.UD) {
      args.list("wrs").forEach(wr -> noteHeader(side, wr));
    }
    List<RecvWr> wrs = receiveRequests(side, requests(args));
    return Answers.of(() -> qp.postRecv(wrs));
  }

  /** A datagram brings its header, whose identification differs from run to run. */
  private static void noteHeader(Party side, Args wr) {
    List<int[]> ranges = new ArrayList<>();
    Memory into = null;
    for (Args entry : wr.has("sge") ? wr.list("sge") : List.<Args>of()) {
      if (!entry.has("mr") || entry.has("addr")) {
        return;
      }
      Memory memory = side.get(Memory.class, entry.text("mr"));
      long offset = entry.number("off", 0);
      long length = entry.number("len", 0);
      if ((into != null && into != memory) || !memory.contains(offset, length)) {
        return;
      }
      into = memory;
      ranges.add(new int[] {(int) offset, (int) length});
    }
    if (into != null) {
      into.addHeader(HeaderPlace.in(ranges));
    }
  }

  private static ObjectNode postSharedReceive(Party side, Args args, ObjectNode recorded) {
    args.allow("srq", "wrs");
    SharedReceiveQueue srq = side.get(SharedReceiveQueue.class, args.text("srq"));
    args.list("wrs").forEach(wr -> noteHeader(side, wr));
    List<RecvWr> wrs = receiveRequests(side, args.list("wrs"));
    return Answers.of(() -> srq.postRecv(wrs));
  }

  private static List<RecvWr> receiveRequests(Party side, List<Args> requests) {
    List<RecvWr> wrs = new ArrayList<>();
    for (Args wr : requests) {
      wrs.add(new RecvWr(wr.allow("wr_id", "sge", "num_sge").number("wr_id"), entries(side, wr)));
    }
    return wrs;
  }
}

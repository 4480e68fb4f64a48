// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.XrcDomain;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Operations for the objects that queue pairs use: create, query and destroy. */
final class ObjectOps {
  private static final int HOP_LIMIT = 64;
  private static final String NAME = "name";

  private ObjectOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("alloc_pd", ObjectOps::allocPd);
    ops.put("dealloc_pd", (device, args, seen) -> destroy(ProtectionDomain.class, device, args));
    ops.put("create_cq", ObjectOps::createCq);
    ops.put("resize_cq", ObjectOps::resizeCq);
    ops.put("destroy_cq", (device, args, seen) -> destroy(CompletionQueue.class, device, args));
    ops.put("create_comp_channel", ObjectOps::createChannel);
    ops.put(
        "destroy_comp_channel",
        (device, args, seen) -> destroy(CompletionChannel.class, device, args));
    ops.put("create_ah", ObjectOps::createAh);
    ops.put("destroy_ah", (device, args, seen) -> destroy(AddressHandle.class, device, args));
    ops.put("create_srq", ObjectOps::createSrq);
    ops.put("query_srq", ObjectOps::querySrq);
    ops.put("modify_srq", ObjectOps::modifySrq);
    ops.put("open_xrcd", ObjectOps::openXrcd);
    ops.put("close_xrcd", (device, args, seen) -> destroy(XrcDomain.class, device, args));
    ops.put("create_xrc_srq", ObjectOps::createXrcSrq);
    ops.put("create_xrc_target", ObjectOps::createXrcTarget);
    ops.put("destroy_srq", (device, args, seen) -> destroy(SharedReceiveQueue.class, device, args));
  }

  /** Destroys an object of any type; if that is refused, the object keeps its name. */
  static <T extends AutoCloseable> ObjectNode destroy(
      Class<T> type, RecordedDevice device, RecordedArgs args) {
    String name = args.allow(NAME).text(NAME);
    T object = device.get(type, name);
    return CallResults.of(
        () -> {
          close(object);
          device.remove(name);
        });
  }

  private static void close(AutoCloseable object) {
    try {
      object.close();
    } catch (VerbsException refused) {
      throw refused;
    } catch (Exception impossible) {
      throw new IllegalStateException("verbs throw nothing checked", impossible);
    }
  }

  private static ObjectNode allocPd(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME);
    return CallResults.of(() -> device.put(args.text(NAME), device.context().allocPd()));
  }

  private static ObjectNode createCq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME, "cqe", "channel", "comp_vector");
    CompletionChannel channel =
        args.has("channel") ? device.get(CompletionChannel.class, args.text("channel")) : null;
    try {
      CompletionQueue cq =
          device.context().createCq(args.int32("cqe"), channel, args.int32("comp_vector", 0));
      device.put(args.text(NAME), cq);
      return CallResults.success().put("cqe", cq.cqe());
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
  }

  /** Resizes a completion queue; the result contains the size even after a refusal. */
  private static ObjectNode resizeCq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME, "cqe");
    CompletionQueue cq = device.get(CompletionQueue.class, args.text(NAME));
    int cqe = args.int32("cqe");
    return CallResults.of(() -> cq.resize(cqe)).put("cqe", cq.cqe());
  }

  private static ObjectNode createChannel(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME);
    return CallResults.of(() -> device.put(args.text(NAME), device.context().createCompChannel()));
  }

  private static ObjectNode createAh(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
    AhAttr attr = addressVector(args, Set.of(NAME, "pd"));
    return CallResults.of(() -> device.put(args.text(NAME), pd.createAh(attr)));
  }

  /** Parses an address vector; ignores LID, path bits and static rate, which RoCE does not use. */
  static AhAttr addressVector(RecordedArgs args, Set<String> besides) {
    Set<String> known = new java.util.TreeSet<>(besides);
    known.addAll(Set.of("dgid", "sgid_index", "flow_label", "hop_limit", "traffic_class"));
    known.addAll(Set.of("sl", "port", "is_global", "dlid", "src_path_bits", "static_rate"));
    args.allow(known.toArray(String[]::new));
    GlobalRoute route =
        new GlobalRoute(
            args.gid("dgid"),
            args.int32("flow_label", 0),
            args.int32("sgid_index", 0),
            args.int32("hop_limit", HOP_LIMIT),
            args.int32("traffic_class", 0));
    boolean isGlobal = args.number("is_global", 1) != 0;
    return new AhAttr(isGlobal ? route : null, args.int32("sl", 0), args.int32("port", 1));
  }

  private static ObjectNode createSrq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME, "pd", "max_wr", "max_sge", "srq_limit");
    ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
    SrqAttr asked =
        new SrqAttr(args.int32("max_wr"), args.int32("max_sge"), args.int32("srq_limit", 0));
    try {
      SharedReceiveQueue srq = pd.createSrq(asked);
      device.put(args.text(NAME), srq);
      ObjectNode answer = CallResults.success();
      // The API returns nothing: max_wr and srq_limit are as requested, max_sge is queried.
      int maxSge = srq.query().maxSge();
      answer.set("attr", CallResults.of(new SrqAttr(asked.maxWr(), maxSge, asked.srqLimit())));
      return answer;
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
  }

  private static ObjectNode querySrq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    SharedReceiveQueue srq = device.get(SharedReceiveQueue.class, args.allow(NAME).text(NAME));
    try {
      ObjectNode attr = CallResults.of(srq.query());
      return CallResults.success().set("attr", attr);
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
  }

  private static ObjectNode modifySrq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow(NAME, "max_wr", "srq_limit", "mask");
    SharedReceiveQueue srq = device.get(SharedReceiveQueue.class, args.text(NAME));
    SrqAttr attr = new SrqAttr(args.int32("max_wr", 0), 0, args.int32("srq_limit", 0));
    Set<SrqAttrMask> mask =
        args.has("mask") ? args.flags(SrqAttrMask.class, "mask") : maskOfPresent(args);
    return CallResults.of(() -> srq.modify(attr, mask));
  }

  private static Set<SrqAttrMask> maskOfPresent(RecordedArgs args) {
    Set<SrqAttrMask> mask = EnumSet.noneOf(SrqAttrMask.class);
    if (args.has("max_wr")) {
      mask.add(SrqAttrMask.MAX_WR);
    }
    if (args.has("srq_limit")) {
      mask.add(SrqAttrMask.LIMIT);
    }
    return mask;
  }

  private static ObjectNode openXrcd(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow(NAME).text(NAME);
    return CallResults.of(() -> device.put(name, device.context().openXrcd()));
  }

  /** Creates an XRC shared receive queue, which peers address by its number. */
  private static ObjectNode createXrcSrq(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow(NAME, "pd", "xrcd", "cq", "max_wr", "max_sge").text(NAME);
    XrcDomain domain = device.get(XrcDomain.class, args.text("xrcd"));
    ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
    CompletionQueue cq = device.get(CompletionQueue.class, args.text("cq"));
    SrqAttr attr = new SrqAttr(args.int32("max_wr"), args.int32("max_sge"), 0);
    return CallResults.of(
        () -> {
          SharedReceiveQueue srq = domain.createSrq(pd, cq, attr);
          device.put(name, srq);
          device.define(name, "num", Integer.toUnsignedLong(srq.srqNum()));
        });
  }

  /** Creates an XRC target queue pair, which belongs to an XRC domain. */
  private static ObjectNode createXrcTarget(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow(NAME, "xrcd").text(NAME);
    XrcDomain domain = device.get(XrcDomain.class, args.text("xrcd"));
    return CallResults.of(
        () -> {
          QueuePair target = domain.createQp();
          device.put(name, target);
          device.define(name, "num", Integer.toUnsignedLong(target.qpNum()));
        });
  }
}

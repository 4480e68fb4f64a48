// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.MigState;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.VerbsException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/** Operations that create, modify, query and destroy queue pairs. */
final class QueuePairOps {
  /** Setters of attributes, by their names in recordings. */
  private static final Map<String, BiConsumer<QpAttr, RecordedArgs>> SETTERS = setters();

  private static final Set<String> ATTRIBUTES = attributes();

  private QueuePairOps() {}

  private static Set<String> attributes() {
    Set<String> attributes = new LinkedHashSet<>(SETTERS.keySet());
    attributes.addAll(Set.of("alt_port", "alt_timeout", "alt_pkey_index"));
    return attributes;
  }

  static void addTo(Map<String, Op> ops) {
    ops.put("create_qp", QueuePairOps::create);
    ops.put("modify_qp", QueuePairOps::modify);
    ops.put("query_qp", QueuePairOps::query);
    ops.put(
        "attach_mcast", (device, args, seen) -> multicast(device, args, QueuePair::attachMcast));
    ops.put(
        "detach_mcast", (device, args, seen) -> multicast(device, args, QueuePair::detachMcast));
    // The attach operation makes a device of the emulator join the group on the network.
    ops.put("join_ip", (device, args, seen) -> CallResults.of(() -> args.allow("gid").gid("gid")));
    ops.put("create_flow", QueuePairOps::createFlow);
    ops.put("destroy_flow", (device, args, seen) -> ObjectOps.destroy(Flow.class, device, args));
    ops.put("destroy_qp", (device, args, seen) -> ObjectOps.destroy(QueuePair.class, device, args));
  }

  /** Attaches a queue pair to a multicast group, or detaches it; RoCE ignores the LID. */
  private static ObjectNode multicast(
      RecordedDevice device, RecordedArgs args, BiConsumer<QueuePair, Gid> verb) {
    args.allow("qp", "gid", "lid");
    QueuePair qp = device.get(QueuePair.class, args.text("qp"));
    Gid group = args.gid("gid");
    return CallResults.of(() -> verb.accept(qp, group));
  }

  private static ObjectNode create(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    args.allow("name", "pd", "type", "scq", "rcq", "srq", "cap", "sq_sig_all", "send_ops");
    QpInitAttr asked =
        new QpInitAttr(
            args.constant(QpType.class, "type"),
            completionQueue(device, args, "scq"),
            completionQueue(device, args, "rcq"),
            args.has("srq") ? device.get(SharedReceiveQueue.class, args.text("srq")) : null,
            capacities(args.inner("cap")),
            args.flag("sq_sig_all"));
    try {
      ProtectionDomain pd = device.get(ProtectionDomain.class, args.text("pd"));
      QueuePair qp =
          args.has("send_ops")
              ? pd.createQpEx(
                  QpInitAttrEx.of(asked).withSendOps(args.flags(SendOpsFlag.class, "send_ops")))
              : pd.createQp(asked);
      String name = args.text("name");
      device.put(name, qp);
      device.define(name, "num", Integer.toUnsignedLong(qp.qpNum()));
      ObjectNode answer = CallResults.success();
      answer.set("cap", CallResults.of(qp.initAttr().cap()));
      return answer.put("state", qp.query().qpState().name());
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
  }

  private static CompletionQueue completionQueue(
      RecordedDevice device, RecordedArgs args, String field) {
    return args.has(field) ? device.get(CompletionQueue.class, args.text(field)) : null;
  }

  private static QpCap capacities(RecordedArgs cap) {
    cap.allow("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data");
    return new QpCap(
        cap.int32("max_send_wr", 0),
        cap.int32("max_recv_wr", 0),
        cap.int32("max_send_sge", 0),
        cap.int32("max_recv_sge", 0),
        cap.int32("max_inline_data", 0));
  }

  private static ObjectNode modify(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    QueuePair qp = device.get(QueuePair.class, args.allow("qp", "attrs", "mask").text("qp"));
    RecordedArgs attrs = args.inner("attrs").allow(ATTRIBUTES.toArray(String[]::new));
    QpAttr attr = new QpAttr();
    SETTERS.forEach(
        (name, setter) -> {
          if (attrs.has(name)) {
            setter.accept(attr, attrs);
          }
        });
    Set<QpAttrMask> mask = args.has("mask") ? args.flags(QpAttrMask.class, "mask") : attr.mask();
    return CallResults.of(() -> qp.modify(attr, mask));
  }

  /** Path MTU; null for 0, which is no value. */
  private static Mtu pathMtu(RecordedArgs attrs) {
    boolean isNone = !attrs.isText("path_mtu") && attrs.number("path_mtu") == 0;
    return isNone ? null : attrs.constant(Mtu.class, "path_mtu");
  }

  private static AlternatePath alternatePath(RecordedArgs attrs) {
    return new AlternatePath(
        ObjectOps.addressVector(attrs.inner("alt_av"), Set.of()),
        attrs.int32("alt_pkey_index", 0),
        attrs.int32("alt_port", 0),
        attrs.int32("alt_timeout", 0));
  }

  private static Map<String, BiConsumer<QpAttr, RecordedArgs>> setters() {
    Map<String, BiConsumer<QpAttr, RecordedArgs>> setters = new LinkedHashMap<>();
    setters.put("state", (attr, a) -> attr.qpState(a.constant(QpState.class, "state")));
    setters.put("cur_state", (attr, a) -> attr.curQpState(a.constant(QpState.class, "cur_state")));
    setters.put(
        "en_sqd_async_notify", (attr, a) -> attr.enSqdAsyncNotify(a.flag("en_sqd_async_notify")));
    setters.put("access", (attr, a) -> attr.qpAccessFlags(a.flags(AccessFlag.class, "access")));
    setters.put("pkey_index", (attr, a) -> attr.pkeyIndex(a.int32("pkey_index")));
    setters.put("port", (attr, a) -> attr.portNum(a.int32("port")));
    setters.put("qkey", (attr, a) -> attr.qkey(a.int32("qkey")));
    setters.put("av", (attr, a) -> attr.ahAttr(ObjectOps.addressVector(a.inner("av"), Set.of())));
    setters.put("path_mtu", (attr, a) -> attr.pathMtu(pathMtu(a)));
    setters.put("timeout", (attr, a) -> attr.timeout(a.int32("timeout")));
    setters.put("retry_cnt", (attr, a) -> attr.retryCnt(a.int32("retry_cnt")));
    setters.put("rnr_retry", (attr, a) -> attr.rnrRetry(a.int32("rnr_retry")));
    setters.put("rq_psn", (attr, a) -> attr.rqPsn(a.int32("rq_psn")));
    setters.put("max_rd_atomic", (attr, a) -> attr.maxRdAtomic(a.int32("max_rd_atomic")));
    setters.put("min_rnr_timer", (attr, a) -> attr.minRnrTimer(a.int32("min_rnr_timer")));
    setters.put("sq_psn", (attr, a) -> attr.sqPsn(a.int32("sq_psn")));
    setters.put(
        "max_dest_rd_atomic", (attr, a) -> attr.maxDestRdAtomic(a.int32("max_dest_rd_atomic")));
    setters.put(
        "path_mig_state",
        (attr, a) -> attr.pathMigState(a.constant(MigState.class, "path_mig_state")));
    setters.put("cap", (attr, a) -> attr.cap(capacities(a.inner("cap"))));
    setters.put("alt_av", (attr, a) -> attr.altPath(alternatePath(a)));
    setters.put("rate_limit", (attr, a) -> attr.rateLimit(a.int32("rate_limit")));
    setters.put("dest_qp_num", (attr, a) -> attr.destQpNum(a.int32("dest_qp_num")));
    return setters;
  }

  private static ObjectNode query(RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    QueuePair qp = device.get(QueuePair.class, args.allow("qp", "full", "mask").text("qp"));
    if (args.number("mask", 1) >>> 26 != 0) {
      throw new UnmappedValueException("query_qp: the API has no mask");
    }
    QpAttr attr;
    try {
      attr = qp.query();
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    // libibverbs caches the state of the last query; the API has no cache.
    ObjectNode answer = CallResults.success().put("state", attr.qpState().name());
    answer.put("cached_state", attr.qpState().name());
    if (args.flag("full")) {
      answer.set("attr", attributes(device, attr));
      answer.set("init_attr", initial(device, qp.initAttr(), attr));
    } else {
      answer.put("sq_draining", attr.sqDraining() ? 1 : 0);
    }
    return answer;
  }

  private static ObjectNode attributes(RecordedDevice device, QpAttr attr) {
    ObjectNode answer = CallResults.empty();
    answer.put("qp_state", attr.qpState().name());
    answer.put("cur_qp_state", attr.curQpState().name());
    answer.put("path_mtu", attr.pathMtu() == null ? 0 : attr.pathMtu().code());
    answer.put("path_mig_state", attr.pathMigState().code());
    answer.put("qkey", Integer.toUnsignedLong(attr.qkey()));
    answer.put("rq_psn", attr.rqPsn());
    answer.put("sq_psn", attr.sqPsn());
    EventOps.putQueuePair(answer, "dest_qp_num", device, attr.destQpNum());
    answer.set("qp_access_flags", CallResults.names(attr.qpAccessFlags()));
    answer.set("cap", CallResults.of(attr.cap()));
    answer.set("ah_attr", CallResults.of(attr.ahAttr()));
    AlternatePath path = attr.altPath();
    answer.set("alt_ah_attr", CallResults.of(path == null ? null : path.ahAttr()));
    answer.put("pkey_index", attr.pkeyIndex());
    answer.put("alt_pkey_index", path == null ? 0 : path.pkeyIndex());
    answer.put("en_sqd_async_notify", attr.enSqdAsyncNotify() ? 1 : 0);
    answer.put("max_rd_atomic", attr.maxRdAtomic());
    answer.put("max_dest_rd_atomic", attr.maxDestRdAtomic());
    answer.put("min_rnr_timer", attr.minRnrTimer());
    answer.put("port_num", attr.portNum());
    answer.put("timeout", attr.timeout());
    answer.put("retry_cnt", attr.retryCnt());
    answer.put("rnr_retry", attr.rnrRetry());
    answer.put("alt_port_num", path == null ? 0 : path.portNum());
    answer.put("alt_timeout", path == null ? 0 : path.timeout());
    answer.put("sq_draining", attr.sqDraining() ? 1 : 0);
    answer.put("rate_limit", attr.rateLimit());
    return answer;
  }

  private static ObjectNode initial(RecordedDevice device, QpInitAttr init, QpAttr attr) {
    ObjectNode answer = CallResults.empty();
    answer.put("send_cq", device.nameOf(init.sendCq()));
    answer.put("recv_cq", device.nameOf(init.recvCq()));
    answer.put("srq", init.srq() == null ? null : device.nameOf(init.srq()));
    answer.set("cap", CallResults.of(attr.cap()));
    answer.put("qp_type", init.qpType().name());
    return answer.put("sq_sig_all", init.sqSigAll() ? 1 : 0);
  }

  /** Creates a flow, which selects the frames of a RAW_PACKET queue pair. */
  private static ObjectNode createFlow(
      RecordedDevice device, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow("name", "qp", "type", "dst_mac", "port").text("name");
    QueuePair qp = device.get(QueuePair.class, args.text("qp"));
    FlowAttr attr =
        args.has("dst_mac")
            ? FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(args.text("dst_mac"))))
            : FlowAttr.of(args.constant(FlowAttrType.class, "type"));
    FlowAttr ofPort = attr.withPort(args.int32("port", 1));
    return CallResults.of(() -> device.put(name, qp.createFlow(ofPort)));
  }
}

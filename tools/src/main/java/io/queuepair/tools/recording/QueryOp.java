// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.AlternatePath;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;

/** Query of a queue pair. */
final class QueryOp {
  private QueryOp() {}

  static ObjectNode query(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    QueuePair qp = side.get(QueuePair.class, args.allow("qp", "full", "mask").text("qp"));
    if (args.number("mask", 1) >>> 26 != 0) {
      throw new UnmappedValueException("query_qp: the API has no mask");
    }
    QpAttr attr;
    try {
      attr = qp.query();
    } catch (VerbsException refused) {
      return CallResults.refusal(refused);
    }
    // libibverbs remembers the state of the last query; the API has it from the query only.
    ObjectNode answer = CallResults.success().put("state", attr.qpState().name());
    answer.put("cached_state", attr.qpState().name());
    if (args.flag("full")) {
      answer.set("attr", attributes(side, attr));
      answer.set("init_attr", initial(side, qp.initAttr(), attr));
    } else {
      answer.put("sq_draining", attr.sqDraining() ? 1 : 0);
    }
    return answer;
  }

  private static ObjectNode attributes(RecordedDevice side, QpAttr attr) {
    ObjectNode answer = CallResults.empty();
    answer.put("qp_state", attr.qpState().name());
    answer.put("cur_qp_state", attr.curQpState().name());
    answer.put("path_mtu", attr.pathMtu() == null ? 0 : attr.pathMtu().code());
    answer.put("path_mig_state", attr.pathMigState().code());
    answer.put("qkey", Integer.toUnsignedLong(attr.qkey()));
    answer.put("rq_psn", attr.rqPsn());
    answer.put("sq_psn", attr.sqPsn());
    EventOps.putQueuePair(answer, "dest_qp_num", side, attr.destQpNum());
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

  private static ObjectNode initial(RecordedDevice side, QpInitAttr init, QpAttr attr) {
    ObjectNode answer = CallResults.empty();
    answer.put("send_cq", side.nameOf(init.sendCq()));
    answer.put("recv_cq", side.nameOf(init.recvCq()));
    answer.put("srq", init.srq() == null ? null : side.nameOf(init.srq()));
    answer.set("cap", CallResults.of(attr.cap()));
    answer.put("qp_type", init.qpType().name());
    return answer.put("sq_sig_all", init.sqSigAll() ? 1 : 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.XrcDomain;
import java.util.Map;

/** Operations on extended reliable connections. */
final class XrcOps {
  private static final String XRCD = "xrcd";

  private XrcOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("open_xrcd", XrcOps::open);
    ops.put("close_xrcd", (side, args, seen) -> ObjectOps.destroy(XrcDomain.class, side, args));
    ops.put("create_xrc_srq", XrcOps::createSrq);
    ops.put("create_xrc_target", XrcOps::createTarget);
  }

  private static ObjectNode open(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow("name").text("name");
    return CallResults.of(() -> side.put(name, side.context().openXrcd()));
  }

  /** A shared receive queue that peers address by its number. */
  private static ObjectNode createSrq(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow("name", "pd", XRCD, "cq", "max_wr", "max_sge").text("name");
    XrcDomain domain = side.get(XrcDomain.class, args.text(XRCD));
    ProtectionDomain pd = side.get(ProtectionDomain.class, args.text("pd"));
    CompletionQueue cq = side.get(CompletionQueue.class, args.text("cq"));
    SrqAttr attr = new SrqAttr(args.int32("max_wr"), args.int32("max_sge"), 0);
    return CallResults.of(
        () -> {
          SharedReceiveQueue srq = domain.createSrq(pd, cq, attr);
          side.put(name, srq);
          side.define(name, "num", Integer.toUnsignedLong(srq.srqNum()));
        });
  }

  /** The receiving end of a connection, which belongs to a domain. */
  private static ObjectNode createTarget(
      RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow("name", XRCD).text("name");
    XrcDomain domain = side.get(XrcDomain.class, args.text(XRCD));
    return CallResults.of(
        () -> {
          QueuePair target = domain.createQp();
          side.put(name, target);
          side.define(name, "num", Integer.toUnsignedLong(target.qpNum()));
        });
  }
}

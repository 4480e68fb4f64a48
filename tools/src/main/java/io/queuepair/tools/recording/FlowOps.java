// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.FlowAttrType;
import io.queuepair.verbs.FlowSpec;
import io.queuepair.verbs.MacAddress;
import io.queuepair.verbs.QueuePair;
import java.util.Map;

/** Flow steering: which frames a queue pair of type RAW_PACKET gets. */
final class FlowOps {
  private static final String DST_MAC = "dst_mac";

  private FlowOps() {}

  static void addTo(Map<String, Op> ops) {
    ops.put("create_flow", FlowOps::create);
    ops.put("destroy_flow", (side, args, seen) -> ObjectOps.destroy(Flow.class, side, args));
  }

  private static ObjectNode create(RecordedDevice side, RecordedArgs args, ObjectNode recorded) {
    String name = args.allow("name", "qp", "type", DST_MAC, "port").text("name");
    QueuePair qp = side.get(QueuePair.class, args.text("qp"));
    FlowAttr attr =
        args.has(DST_MAC)
            ? FlowAttr.normal(FlowSpec.Eth.to(MacAddress.of(args.text(DST_MAC))))
            : FlowAttr.of(args.constant(FlowAttrType.class, "type"));
    FlowAttr ofPort = attr.withPort(args.int32("port", 1));
    return CallResults.of(() -> side.put(name, qp.createFlow(ofPort)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.queuepair.tools.cli.GidText;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.ReregMrErrCode;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import java.util.Collection;

/** Creates results of calls in the form of a recording. */
public final class CallResults {
  /** Field with the return value: 0, or the name of an errno. */
  public static final String RET = "ret";

  /** Field that explains a refusal; recordings of devices do not have it. */
  public static final String WHY = "why";

  /** Field with the index of the refused request in a list. */
  public static final String BAD_WR = "bad_wr";

  private CallResults() {}

  public static ObjectNode empty() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ObjectNode success() {
    return empty().put(RET, 0);
  }

  /** Calls a verb that returns an errno. */
  public static ObjectNode of(Runnable verb) {
    try {
      verb.run();
      return success();
    } catch (BadWorkRequestException refused) {
      return refusal(refused).put(BAD_WR, refused.index());
    } catch (VerbsException refused) {
      return refusal(refused);
    }
  }

  public static ObjectNode refusal(VerbsException refused) {
    return empty().put(RET, refused.errno().name()).put(WHY, refused.getMessage());
  }

  /** Result of a refused {@code ibv_rereg_mr}: a code of its own, and {@code errno}. */
  public static ObjectNode refusal(ReregMrErrCode code, Errno errno) {
    return empty().put(RET, "IBV_REREG_MR_ERR_" + code).put("errno", errno.name());
  }

  /** Result of a verb that returns -1 and sets {@code errno}. */
  public static ObjectNode minusOne(VerbsException refused) {
    return empty().put(RET, -1).put("errno", refused.errno().name()).put(WHY, refused.getMessage());
  }

  public static ObjectNode of(QpCap cap) {
    return empty()
        .put("max_send_wr", cap.maxSendWr())
        .put("max_recv_wr", cap.maxRecvWr())
        .put("max_send_sge", cap.maxSendSge())
        .put("max_recv_sge", cap.maxRecvSge())
        .put("max_inline_data", cap.maxInlineData());
  }

  public static ObjectNode of(SrqAttr attr) {
    return empty()
        .put("max_wr", attr.maxWr())
        .put("max_sge", attr.maxSge())
        .put("srq_limit", attr.srqLimit());
  }

  /** Fields of an address vector; those without meaning for RoCE are 0, as in the C structure. */
  public static ObjectNode of(AhAttr attr) {
    GlobalRoute grh = attr == null ? null : attr.grh();
    ObjectNode answer = empty();
    answer.put("dgid", grh == null ? "::" : GidText.of(grh.dgid()));
    answer.put("flow_label", grh == null ? 0 : grh.flowLabel());
    answer.put("sgid_index", grh == null ? 0 : grh.sgidIndex());
    answer.put("hop_limit", grh == null ? 0 : grh.hopLimit());
    answer.put("traffic_class", grh == null ? 0 : grh.trafficClass());
    answer.put("dlid", 0);
    answer.put("sl", attr == null ? 0 : attr.sl());
    answer.put("src_path_bits", 0);
    answer.put("static_rate", 0);
    answer.put("is_global", grh == null ? 0 : 1);
    return answer.put("port", attr == null ? 0 : attr.portNum());
  }

  public static ArrayNode names(Collection<? extends Enum<?>> flags) {
    ArrayNode names = JsonNodeFactory.instance.arrayNode();
    flags.forEach(flag -> names.add(flag.name()));
    return names;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How a verb is written in a scenario: its name, what it is called on, its arguments.
 *
 * @param subject the argument that the call has for what stands behind the verb; empty if that is
 *     only the device
 * @param defaults arguments that need not be given; {@code @} stands for the device
 */
record VerbSyntax(String subject, String defaults) {
  private static final Set<String> CAPACITIES =
      Set.of("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data");

  /** Extended posting. */
  private static final List<String> BATCH =
      List.of(
          "wr_start",
          "wr_send",
          "wr_send_imm",
          "wr_rdma_write",
          "wr_rdma_read",
          "wr_complete",
          "wr_abort");

  private static final Map<String, VerbSyntax> ALL = all();

  private static Map<String, VerbSyntax> all() {
    Map<String, VerbSyntax> forms = new LinkedHashMap<>();
    forms.put("alloc_pd", new VerbSyntax("name", ""));
    forms.put("dealloc_pd", new VerbSyntax("name", ""));
    forms.put(
        "reg_mr",
        new VerbSyntax(
            "name",
            "pd=@.pd length=4096 fill=0"
                + " access=LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC"));
    forms.put("rereg_mr", new VerbSyntax("name", ""));
    forms.put("dereg_mr", new VerbSyntax("name", ""));
    forms.put("alloc_mw", new VerbSyntax("name", "pd=@.pd type=TYPE_2"));
    forms.put("dealloc_mw", new VerbSyntax("name", ""));
    forms.put("bind_mw", new VerbSyntax("qp", "wr_id=0 off=0"));
    forms.put("create_comp_channel", new VerbSyntax("name", ""));
    forms.put("destroy_comp_channel", new VerbSyntax("name", ""));
    forms.put("create_cq", new VerbSyntax("name", "cqe=16"));
    forms.put("resize_cq", new VerbSyntax("name", ""));
    forms.put("destroy_cq", new VerbSyntax("name", ""));
    forms.put("req_notify_cq", new VerbSyntax("cq", ""));
    forms.put("create_srq", new VerbSyntax("name", "pd=@.pd max_wr=16 max_sge=1"));
    forms.put("modify_srq", new VerbSyntax("name", ""));
    forms.put("query_srq", new VerbSyntax("name", ""));
    forms.put("destroy_srq", new VerbSyntax("name", ""));
    forms.put("post_srq_recv", new VerbSyntax("srq", ""));
    putQueuePairs(forms);
    forms.put("query_port", new VerbSyntax("", "port=1"));
    forms.put("query_gid", new VerbSyntax("", "port=1 index=0"));
    forms.put("query_pkey", new VerbSyntax("", "port=1 index=0"));
    return forms;
  }

  private static void putQueuePairs(Map<String, VerbSyntax> forms) {
    forms.put(
        "create_qp",
        new VerbSyntax(
            "name",
            "type=RC pd=@.pd scq=@.cq rcq=@.cq cap.max_send_wr=16 cap.max_recv_wr=16"
                + " cap.max_send_sge=2 cap.max_recv_sge=2 cap.max_inline_data=64"));
    forms.put("modify_qp", new VerbSyntax("qp", ""));
    forms.put("query_qp", new VerbSyntax("qp", "full=1"));
    forms.put("destroy_qp", new VerbSyntax("name", ""));
    forms.put("post_send", new VerbSyntax("qp", ""));
    forms.put("post_recv", new VerbSyntax("qp", ""));
    forms.put("open_xrcd", new VerbSyntax("name", ""));
    forms.put("close_xrcd", new VerbSyntax("name", ""));
    forms.put("create_xrc_srq", new VerbSyntax("name", "pd=@.pd cq=@.cq max_wr=16 max_sge=1"));
    forms.put("create_xrc_target", new VerbSyntax("name", ""));
    forms.put("create_ah", new VerbSyntax("name", "pd=@.pd"));
    forms.put("destroy_ah", new VerbSyntax("name", ""));
    forms.put("attach_mcast", new VerbSyntax("qp", ""));
    forms.put("detach_mcast", new VerbSyntax("qp", ""));
    forms.put("create_flow", new VerbSyntax("name", ""));
    forms.put("destroy_flow", new VerbSyntax("name", ""));
    for (String verb : BATCH) {
      forms.put(verb, new VerbSyntax("qp", ""));
    }
  }

  /** The form of a verb; null if there is none. */
  static VerbSyntax of(String verb) {
    return ALL.get(verb);
  }

  static Set<String> verbs() {
    return ALL.keySet();
  }

  /** Reads what stands behind the verb. */
  ObjectNode read(String verb, String device, List<String> words) {
    List<String> arguments = words.subList(1, words.size());
    ObjectNode read;
    if (verb.startsWith("post_")) {
      read = WorkRequests.read(verb, device, arguments);
    } else if (verb.equals("modify_qp")) {
      read = Arguments.read(device, List.of());
      read.set("attrs", Arguments.read(device, arguments));
    } else {
      read = Arguments.read(device, arguments.stream().map(VerbSyntax::inFull).toList());
    }
    if (!defaults.isEmpty()) {
      List<String> optional = List.of(defaults.replace("@", device).split(" "));
      Arguments.addDefaults(read, Arguments.read(device, optional));
    }
    if (!subject.isEmpty()) {
      read.put(subject, ArgumentType.object(device, words.get(0)));
    }
    return read;
  }

  /** Capacities may be given without saying that they are. */
  private static String inFull(String argument) {
    int equals = argument.indexOf('=');
    boolean isCapacity = equals > 0 && CAPACITIES.contains(argument.substring(0, equals));
    return isCapacity ? "cap." + argument : argument;
  }
}

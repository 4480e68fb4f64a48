// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Syntax of a verb in a scenario: its object and its arguments.
 *
 * @param subject name of the call's argument for the object after the verb; empty if that is only
 *     the device
 * @param defaults of optional arguments; {@code @} stands for the device
 */
record VerbSyntax(String subject, List<String> defaults) {
  private static final Set<String> CAPACITIES =
      Set.of("max_send_wr", "max_recv_wr", "max_send_sge", "max_recv_sge", "max_inline_data");

  /** Rows with verb, subject and defaults. */
  private static final String TABLE =
      """
      alloc_pd             name
      dealloc_pd           name
      reg_mr               name pd=@.pd length=4096 fill=0 \
                                access=LOCAL_WRITE|REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC
      rereg_mr             name
      dereg_mr             name
      alloc_mw             name pd=@.pd type=TYPE_2
      dealloc_mw           name
      bind_mw              qp   wr_id=0 off=0
      create_comp_channel  name
      destroy_comp_channel name
      create_cq            name cqe=16
      resize_cq            name
      destroy_cq           name
      req_notify_cq        cq
      create_srq           name pd=@.pd max_wr=16 max_sge=1
      modify_srq           name
      query_srq            name
      destroy_srq          name
      post_srq_recv        srq
      create_qp            name type=RC pd=@.pd scq=@.cq rcq=@.cq cap.max_send_wr=16 \
                                cap.max_recv_wr=16 cap.max_send_sge=2 cap.max_recv_sge=2 \
                                cap.max_inline_data=64
      modify_qp            qp
      query_qp             qp   full=1
      destroy_qp           name
      post_send            qp
      post_recv            qp
      open_xrcd            name
      close_xrcd           name
      create_xrc_srq       name pd=@.pd cq=@.cq max_wr=16 max_sge=1
      create_xrc_target    name
      create_ah            name pd=@.pd
      destroy_ah           name
      attach_mcast         qp
      detach_mcast         qp
      create_flow          name
      destroy_flow         name
      query_port           -    port=1
      query_gid            -    port=1 index=0
      query_pkey           -    port=1 index=0
      wr_start             qp
      wr_send              qp
      wr_send_imm          qp
      wr_rdma_write        qp
      wr_rdma_read         qp
      wr_complete          qp
      wr_abort             qp
      """;

  private static final Map<String, VerbSyntax> ALL =
      TABLE
          .lines()
          .map(row -> row.split(" +", 3))
          .collect(Collectors.toMap(row -> row[0], VerbSyntax::ofRow));

  private static VerbSyntax ofRow(String... row) {
    List<String> defaults = row.length < 3 ? List.of() : List.of(row[2].split(" +"));
    return new VerbSyntax(row[1].equals("-") ? "" : row[1], defaults);
  }

  /** Syntax of a verb; null if the verb is unknown. */
  static VerbSyntax of(String verb) {
    return ALL.get(verb);
  }

  static Set<String> verbs() {
    return ALL.keySet();
  }

  /** Parses the words after the verb into arguments of the call. */
  ObjectNode read(String verb, String device, List<String> words) {
    List<String> arguments = words.subList(1, words.size());
    ObjectNode read;
    if (verb.startsWith("post_")) {
      read = workRequests(verb, device, arguments);
    } else if (verb.equals("modify_qp")) {
      read = Arguments.read(device, List.of());
      read.set("attrs", Arguments.read(device, arguments));
    } else {
      read = Arguments.read(device, arguments.stream().map(VerbSyntax::inFull).toList());
    }
    if (!defaults.isEmpty()) {
      List<String> optional = defaults.stream().map(word -> word.replace("@", device)).toList();
      Arguments.addDefaults(read, Arguments.read(device, optional));
    }
    if (!subject.isEmpty()) {
      read.put(subject, ArgumentType.object(device, words.get(0)));
    }
    return read;
  }

  /** Adds the prefix {@code cap.} to names of capacities, which scenarios omit. */
  private static String inFull(String argument) {
    int equals = argument.indexOf('=');
    boolean isCapacity = equals > 0 && CAPACITIES.contains(argument.substring(0, equals));
    return isCapacity ? "cap." + argument : argument;
  }

  /** Parses the work requests of a post, separated by semicolons; each needs a wr_id. */
  private static ObjectNode workRequests(String verb, String device, List<String> words) {
    ObjectNode read = Arguments.read(device, List.of());
    ArrayNode list = read.putArray("wrs");
    List<String> one = new ArrayList<>();
    for (String word : words) {
      if (word.equals(";")) {
        list.add(request(verb, device, one));
        one.clear();
      } else {
        one.add(word);
      }
    }
    list.add(request(verb, device, one));
    return read;
  }

  /** Parses a work request; a send is signaled by default. */
  private static ObjectNode request(String verb, String device, List<String> words) {
    ObjectNode request = Arguments.read(device, words);
    if (!request.has("wr_id")) {
      throw new StatementException("a work request needs wr_id=NUMBER");
    }
    if (verb.equals("post_send")) {
      if (!request.has("opcode")) {
        throw new StatementException("a send needs opcode=NAME, such as SEND or RDMA_WRITE");
      }
      Arguments.addDefaults(request, Arguments.read(device, List.of("flags=SIGNALED")));
    }
    return request;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A queue pair of type UC is in ERR on Linux, since a message could not be received: what it and
 * its peer answer from there on is not compared, and nothing else is hidden by that.
 */
final class AcceptedCauseTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final int WORK = 8;
  private static final int SHOWN = 11;

  private final List<Step> steps = new ArrayList<>();

  AcceptedCauseTest() throws JsonProcessingException {
    queuePair("A", "qp", "$B.qp.num");
    queuePair("B", "qp", "$A.qp.num");
    queuePair("B", "other", "$B.other.num");
    add("B", "post_recv", "{'qp':'qp','wrs':[{'wr_id':1,'sge':[{'mr':'mr'}]}]}", "{'ret':0}");
    add("B", "poll_cq", "{'cq':'qp-cq'}", "{'n':0,'wcs':[]}");
    add("A", "post_send", "{'qp':'qp','wrs':[{'wr_id':2,'sge':[{'mr':'mr'}]}]}", "{'ret':0}");
    add("A", "poll_cq", "{'cq':'qp-cq'}", "{'n':0,'wcs':[]}");
    add("B", "reg_mr", "{'name':'unused'}", "{'ret':0}");
    add(
        "B",
        "poll_cq",
        "{'cq':'qp-cq'}",
        "{'n':1,'wcs':[{'wr_id':1,'status':'LOC_QP_OP_ERR','qp_num':'$B.qp.num'}]}");
    add("B", "poll_cq", "{'cq':'other-cq'}", "{'n':0,'wcs':[]}");
    add("B", "query_qp", "{'qp':'qp'}", "{'ret':0,'state':'ERR'}");
    add("B", "query_qp", "{'qp':'other'}", "{'ret':0,'state':'RTS'}");
    add("A", "query_qp", "{'qp':'qp'}", "{'ret':0,'state':'RTS'}");
    add("B", "mem", "{'mr':'mr'}", "{'hex':'00'}");
    add("B", "mem", "{'mr':'unused'}", "{'hex':'00'}");
    add("B", "async_event", "{}", "{'event':null}");
    add("A", "dereg_mr", "{'name':'mr'}", "{'ret':0}");
  }

  private void queuePair(String side, String name, String peer) throws JsonProcessingException {
    String cq = name + "-cq";
    String creation = "{'name':'" + name + "','type':'UC','scq':'" + cq + "','rcq':'" + cq + "'}";
    add(side, "create_qp", creation, "{'ret':0}");
    String attrs = "{'state':'RTS','dest_qp_num':'" + peer + "'}";
    add(side, "modify_qp", "{'qp':'" + name + "','attrs':" + attrs + "}", "{'ret':0}");
  }

  private void add(String side, String op, String args, String result)
      throws JsonProcessingException {
    steps.add(new Step(steps.size(), side, op, object(args), object(result)));
  }

  private static ObjectNode object(String text) throws JsonProcessingException {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  private Difference difference(int step, String field, String recorded, String ours) {
    return new Difference("s", step, steps.get(step).call(), field, recorded, ours);
  }

  private Difference cause() {
    String failed = "1 LOC_QP_OP_ERR opcode=SEND qp_num=$B.qp.num";
    return difference(SHOWN, "wcs[0]", failed, ResultComparison.ABSENT);
  }

  private boolean isAccepted(Difference planted) {
    Scenario scenario = new Scenario("s", "loopback", steps);
    return AcceptedDifferences.of("soft-roce")
        .rulesFor(scenario, List.of(cause(), planted))
        .containsKey(planted);
  }

  @Test
  void theCauseIsSeenWhereItsCompletionIsAndBeganWithTheWorkBefore() {
    assertThat(steps.get(SHOWN).call()).isEqualTo("B.poll_cq");
    assertThat(steps.get(WORK).call()).isEqualTo("A.post_send");
    assertThat(isAccepted(cause())).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "9, wcs[0], absent, 2 SUCCESS byte_len=8 qp_num=$A.qp.num",
    "11, n, 1, 0",
    "13, state, ERR, RTS",
    "15, attr.rq_psn, 200, 201",
    "16, hex, 00, ff",
    "18, event, null, SQ_DRAINED",
  })
  void whatFollowsFromACauseIsAcceptedWithIt(int step, String field, String recorded, String ours) {
    assertThat(isAccepted(difference(step, field, recorded, ours))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "before it, 7, n, 0, 1",
    "a call on another object, 10, ret, 0, EINVAL",
    "completions of another queue pair, 12, n, 0, 1",
    "the state of another queue pair, 14, state, RTS, ERR",
    "memory that no work was done with, 17, hex, 00, ff",
    "an event of the device, 18, event, DEVICE_FATAL, null",
    "the end of an object, 19, ret, 0, EBUSY",
  })
  void aDifferenceOfAnotherCauseIsReported(
      String what, int step, String field, String recorded, String ours) {
    assertThat(isAccepted(difference(step, field, recorded, ours))).as(what).isFalse();
  }

  @Test
  void withoutItsCauseNothingIsAccepted() {
    Difference state = difference(13, "state", "ERR", "RTS");

    assertThat(
            AcceptedDifferences.of("soft-roce")
                .rulesFor(new Scenario("s", "loopback", steps), List.of(state)))
        .isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.RwqIndTable;
import io.queuepair.verbs.RxHashConf;
import io.queuepair.verbs.RxHashField;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queue pairs that spread frames over work queues: ibv_create_wq(3), ibv_create_qp_ex(3). */
final class WorkQueueTest {
  /** That of the suite which the hashes below are from, see ToeplitzHashTest. */
  private static final byte[] KEY =
      HexFormat.of()
          .parseHex(
              "6d5a56da255b0ec24167253d43a38fb0d0ca2bcbae7b30b477cb2da38030f20c"
                  + "6a42b73bbeac01fa");

  private static final int PLACES = 8;
  private static final int RECEIVES = 4;

  @AutoClose private final Segment segment = new Segment();
  private final RawHost b = segment.b();
  private final Context context = b.context();
  private final CompletionQueue cq = context.createCq(PLACES * RECEIVES);
  private final List<WorkQueue> wqs = new ArrayList<>();

  private WorkQueue createWq(WqFlag... flags) {
    WqInitAttr attr = WqInitAttr.of(b.pd(), cq, RECEIVES, 1).withCreateFlags(flags);
    WorkQueue wq = context.createWq(attr);
    wqs.add(wq);
    return wq;
  }

  private WorkQueue ready(WqFlag... flags) {
    WorkQueue wq = createWq(flags);
    wq.modify(WqAttr.to(WqState.RDY));
    return wq;
  }

  private QueuePair spreading(RxHashField... fields) {
    return spreading(context.createRwqIndTable(wqs), fields);
  }

  private QueuePair spreading(RwqIndTable table, RxHashField... fields) {
    QpInitAttr base =
        new QpInitAttr(QpType.RAW_PACKET, null, null, null, new QpCap(0, 0, 0, 0, 0), false);
    QueuePair qp =
        b.pd().createQpEx(QpInitAttrEx.of(base).withRss(table, RxHashConf.toeplitz(KEY, fields)));
    qp.createFlow(FlowAttr.normal());
    return qp;
  }

  private void post(WorkQueue wq, long wrId) {
    wq.postRecv(RecvWr.of(wrId, slot()));
  }

  private Sge slot() {
    return b.region().sge(0, RawHost.SLOT_BYTES);
  }

  private List<WorkCompletion> arrived(byte[] frame) {
    segment.a().send(1, frame);
    segment.drain();
    return cq.poll(PLACES);
  }

  private AsyncEvent event() {
    AsyncEvent event = context.getAsyncEvent(Duration.ZERO).orElseThrow();
    context.ackAsyncEvent(event);
    return event;
  }

  /** The lowest three bits of the hash of addresses and ports are the place. */
  @Tag("test_rss_traffic.RSSTrafficTest.test_rss_traffic")
  @ParameterizedTest
  @CsvSource({
    "4209 95bb, a18e 6450, 0aea 06e6, 0", // 66.9.149.187:2794 to 161.142.100.80:1766, 51ccc178
    "c75c 6f02, 4145 8c53, 3796 1283, 2", // 199.92.111.2:14230 to 65.69.140.83:4739, c626b0ea
    "261b cd1e, d18e a306, bc64 08a9, 7" // 38.27.205.30:48228 to 209.142.163.6:2217, afc7327f
  })
  void theHashOfAFrameIsItsPlaceInTheTable(String from, String to, String ports, int place) {
    for (int i = 0; i < PLACES; i++) {
      post(ready(), i);
    }
    spreading(
        RxHashField.SRC_IPV4,
        RxHashField.DST_IPV4,
        RxHashField.SRC_PORT_TCP,
        RxHashField.DST_PORT_TCP);
    byte[] frame =
        Bytes.ofHex(
            "02000a000002 02000a000001 0800 45000028 00004000 40060000 "
                + (from + to + ports)
                + "00000000 00000000 50020000 00000000");

    List<WorkCompletion> completions = arrived(frame);

    assertThat(Outcomes.of(completions)).containsExactly(place + " RECV 54");
    assertThat(completions.get(0).qpNum()).isEqualTo(wqs.get(place).wqNum());
    assertThat(b.slot(0, frame.length)).isEqualTo(frame);
  }

  @Test
  void aFrameWithoutIpGoesToTheFirst() {
    post(ready(), 0);
    post(ready(), 1);
    spreading(RxHashField.SRC_IPV4);

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes()))).containsExactly("0 RECV 18");
  }

  @Test
  void aWorkQueueMayHaveSeveralPlaces() {
    WorkQueue only = ready();
    post(only, 1);
    post(only, 2);
    spreading(context.createRwqIndTable(List.of(only, only)), RxHashField.SRC_PORT_UDP);

    arrived(Frames.UDP_IPV4.bytes());

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes()))).containsExactly("2 RECV 18");
  }

  @Test
  void receivesAreFilledInOrderAndDroppedWithout() {
    WorkQueue wq = ready();
    post(wq, 1);
    spreading(RxHashField.SRC_IPV4);

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes()))).containsExactly("1 RECV 18");
    assertThat(arrived(Frames.PLAIN.bytes())).isEmpty();
    assertThat(b.drops("NO_RECEIVE")).isOne();
  }

  @Test
  void theQueuePairIsReadyAtOnceAndItsWorkQueuesAreNot() {
    WorkQueue wq = createWq();
    QueuePair qp = spreading(RxHashField.SRC_IPV4);

    assertThat(qp.query().qpState()).isEqualTo(QpState.RTR);
    assertThat(wq.state()).isEqualTo(WqState.RESET);
    assertThat(arrived(Frames.PLAIN.bytes())).isEmpty();
    assertThat(b.drops("WRONG_QP_STATE")).isOne();
  }

  @Test
  void errorFlushesWhatIsPostedThenAndLater() {
    WorkQueue wq = ready();
    post(wq, 1);

    wq.modify(WqAttr.to(WqState.ERR).from(WqState.RDY));
    post(wq, 2);

    assertThat(wq.state()).isEqualTo(WqState.ERR);
    assertThat(cq.poll(PLACES))
        .extracting(WorkCompletion::wrId, WorkCompletion::status, WorkCompletion::qpNum)
        .containsExactly(
            tuple(1L, WcStatus.WR_FLUSH_ERR, wq.wqNum()),
            tuple(2L, WcStatus.WR_FLUSH_ERR, wq.wqNum()));
  }

  @Test
  void resetEmptiesTheWorkQueueAndForgetsItsCompletions() {
    WorkQueue wq = ready();
    post(wq, 1);
    wq.modify(WqAttr.to(WqState.ERR));

    wq.modify(WqAttr.to(WqState.RESET));
    wq.modify(WqAttr.to(WqState.RDY));
    post(wq, 2);
    spreading(RxHashField.SRC_IPV4);

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes()))).containsExactly("2 RECV 18");
  }

  @Test
  void aFrameThatDoesNotFitEndsItsWorkQueueAlone() {
    WorkQueue small = ready();
    WorkQueue other = ready();
    small.postRecv(RecvWr.of(1, b.region().sge(0, 17)));
    post(small, 2);
    spreading(RxHashField.SRC_IPV4);

    assertThat(Outcomes.of(arrived(Frames.PLAIN.bytes())))
        .containsExactly("1 LOC_LEN_ERR", "2 WR_FLUSH_ERR");
    assertThat(small.state()).isEqualTo(WqState.ERR);
    assertThat(other.state()).isEqualTo(WqState.RDY);
  }

  @Test
  void anOverrunOfTheCompletionQueueIsFatalForTheWorkQueue() {
    CompletionQueue tiny = context.createCq(1);
    WorkQueue wq = context.createWq(WqInitAttr.of(b.pd(), tiny, RECEIVES, 1));
    wq.modify(WqAttr.to(WqState.RDY));
    post(wq, 1);
    post(wq, 2);
    spreading(context.createRwqIndTable(List.of(wq)), RxHashField.SRC_IPV4);

    arrived(Frames.PLAIN.bytes());
    arrived(Frames.PLAIN.bytes());

    assertThat(wq.state()).isEqualTo(WqState.ERR);
    assertThat(List.of(event(), event()))
        .containsExactlyInAnyOrder(
            AsyncEvent.of(EventType.CQ_ERR, tiny), AsyncEvent.of(EventType.WQ_FATAL, wq));
  }

  @Test
  void tagsAreTakenOffWhereThatIsAskedFor() {
    WorkQueue wq = ready(WqFlag.CVLAN_STRIPPING);
    post(wq, 1);
    post(wq, 2);
    post(wq, 3);
    spreading(RxHashField.SRC_IPV4);
    Set<WqFlag> stripping = Set.of(WqFlag.CVLAN_STRIPPING);

    List<String> asCreated = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));
    wq.modify(WqAttr.ofFlags(Set.of(), stripping));
    List<String> without = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));
    wq.modify(WqAttr.ofFlags(stripping, stripping));
    List<String> again = Outcomes.of(arrived(Frames.VLAN_IPV4.bytes()));

    assertThat(asCreated).containsExactly("1 RECV 46");
    assertThat(without).containsExactly("2 RECV 50");
    assertThat(again).containsExactly("3 RECV 46");
    assertThat(wq.state()).isEqualTo(WqState.RDY);
  }

  @Test
  void whatIsUsedCannotBeDestroyed() {
    WorkQueue wq = ready();
    RwqIndTable table = context.createRwqIndTable(wqs);
    QueuePair qp = spreading(table, RxHashField.SRC_IPV4);

    assertThat(table.wqs()).containsExactly(wq);
    assertThat(Errnos.of(wq::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(table::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(cq::close)).isEqualTo(Errno.EBUSY);
    assertThat(Errnos.of(qp::close)).isEqualTo(Errno.EBUSY);
  }
}

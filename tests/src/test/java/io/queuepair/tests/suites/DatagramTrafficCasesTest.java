// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Many datagrams. What arrives is whole, and as long as there are receives all of it arrives. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class DatagramTrafficCasesTest {
  private static final int GRH = 40;
  private static final int IN_FLIGHT = 16;
  private static final int MESSAGE = 1024;
  private static final int CQE = 1 << 14;

  @Parameter private LinkForm form;

  private Pair connected() {
    return ConnectedPair.datagrams(Pair.on(form)).cqe(CQE).connect();
  }

  private static QueuePair inRts(TestEndpoint side) {
    QueuePair qp = side.createQp(QpType.UD, new QpCap(128, 128, 1, 1, 0));
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(TestEndpoint.QKEY));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
    return qp;
  }

  private static List<QueuePair> manyInRts(TestEndpoint side, int count) {
    List<QueuePair> qps = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      qps.add(inRts(side));
    }
    return qps;
  }

  @ParameterizedTest
  @CsvSource({"1, 4", "1, 512", "1, 4096", "100, 4", "100, 512", "100, 4096"})
  @Tag("GUT-basic_ud_test-UdConstantOpTest.OneToOne")
  void everySendFindsItsReceive(int qps, int size) {
    try (Pair pair = connected()) {
      List<QueuePair> from = manyInRts(pair.a(), qps);
      List<QueuePair> to = manyInRts(pair.b(), qps);
      MemoryRegion target = pair.b().register(IN_FLIGHT * (GRH + size));
      MemoryRegion source = pair.a().register(IN_FLIGHT * size);
      for (int qp = 0; qp < qps; qp++) {
        Bytes.into(source, 0, Bytes.pattern(IN_FLIGHT * size, qp));
        for (int i = 0; i < IN_FLIGHT; i++) {
          to.get(qp).postRecv(RecvWr.of(i, target.sge(i * (GRH + size), GRH + size)));
          SendWr send = SendWr.send(i, source.sge(i * size, size));
          from.get(qp).postSend(send.to(pair.a().ah(), to.get(qp).qpNum(), TestEndpoint.QKEY));
        }
        pair.drain();

        assertThat(pair.a().sends()).containsExactlyElementsOf(numbered(" SEND"));
        assertThat(pair.b().receives())
            .containsExactlyElementsOf(numbered(" RECV " + (GRH + size) + " [GRH]"));
        for (int i = 0; i < IN_FLIGHT; i++) {
          assertThat(Bytes.in(target, i * (GRH + size) + GRH, size))
              .isEqualTo(Bytes.in(source, i * size, size));
        }
      }
    }
  }

  private static List<String> numbered(String outcome) {
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < IN_FLIGHT; i++) {
      outcomes.add(i + outcome);
    }
    return outcomes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1024, 8192})
  @Tag("GUT-ud_burst_test-UdBurstTest.TrafficOkAfterBurst")
  void aBurstIsCutShortButNotWhatFollows(int burst) {
    int perQp = 128;
    int receives = 16;
    try (Pair pair = connected()) {
      List<QueuePair> from = manyInRts(pair.a(), burst / perQp);
      List<QueuePair> to = manyInRts(pair.b(), burst / perQp);
      Bytes.into(pair.a().region(), 0, Bytes.pattern(MESSAGE, 1));
      for (int qp = 0; qp < from.size(); qp++) {
        exchange(pair, from.get(qp), to.get(qp), perQp, receives);
      }
      pair.drain();
      assertThat(pair.a().sendCq().poll(CQE)).hasSize(burst).allMatch(WorkCompletion::isSuccess);
      assertThat(pair.b().recvCq().poll(CQE))
          .hasSize(receives * to.size())
          .allMatch(WorkCompletion::isSuccess);

      for (int qp = 0; qp < from.size(); qp++) {
        exchange(pair, from.get(qp), to.get(qp), 10, 10);
      }
      pair.drain();

      assertThat(Outcomes.of(pair.a().sendCq().poll(CQE)))
          .hasSize(10 * from.size())
          .containsOnly("1 SEND");
      assertThat(Outcomes.of(pair.b().recvCq().poll(CQE)))
          .hasSize(10 * to.size())
          .containsOnly("1 RECV 1064 [GRH]");
      assertThat(Bytes.in(pair.b().region(), GRH, MESSAGE)).isEqualTo(Bytes.pattern(MESSAGE, 1));
    }
  }

  private static void exchange(Pair pair, QueuePair from, QueuePair to, int sends, int receives) {
    to.postRecv(
        Collections.nCopies(receives, RecvWr.of(1, pair.b().region().sge(0, GRH + MESSAGE))));
    SendWr send = SendWr.send(1, pair.a().region().sge(0, MESSAGE));
    from.postSend(
        Collections.nCopies(sends, send.to(pair.a().ah(), to.qpNum(), TestEndpoint.QKEY)));
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 1000})
  @Tag("GUT-mixed_qp_mode_test-MixedQpModeTest.BasicTest")
  void connectionsAndDatagramsShareCompletionQueues(int operations) {
    try (ConnectedPair bed =
            new ConnectedPair(
                ConnectedPair.reliable(Pair.on(form)).cqe(CQE).connect(), ConnectedPair.PAGE);
        QueuePair from = inRts(bed.a());
        QueuePair to = inRts(bed.b())) {
      AddressHandle ah = bed.a().pd().createAh(AhAttr.to(bed.b().context().queryGid(1, 0)));
      for (int done = 0; done < operations; done += IN_FLIGHT) {
        for (int i = 0; i < IN_FLIGHT; i++) {
          bed.post(
              SendWr.rdmaWrite(
                  i, bed.remote().addr(), bed.remote().rkey(), bed.local().sge(0, 32)));
          to.postRecv(RecvWr.of(i, bed.b().region().sge(0, GRH + 32)));
          from.postSend(
              SendWr.send(i, bed.local().sge(0, 32)).to(ah, to.qpNum(), TestEndpoint.QKEY));
        }
        bed.pair().drain();

        List<String> expected = numbered(" RDMA_WRITE");
        expected.addAll(numbered(" SEND"));
        assertThat(bed.a().sends()).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(bed.b().receives()).isEqualTo(numbered(" RECV 72 [GRH]"));
        assertThat(Bytes.in(bed.remote(), 0, 32)).containsOnly('a');
        assertThat(Bytes.in(bed.b().region(), GRH, 32)).containsOnly('a');
      }
    }
  }
}

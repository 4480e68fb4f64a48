// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What completions say, when there is one, and in which order. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class CompletionTest {
  private final LinkForm form;
  @AutoClose private final Pair pair;
  private final MemoryRegion local;
  private final MemoryRegion remote;

  CompletionTest(LinkForm form) {
    this.form = form;
    // Nothing is lost. Repeated for being late, a READ would find what was written after it.
    pair = Pair.on(form).rts(attr -> attr.timeout(0)).connect();
    local = pair.a().region();
    remote = pair.b().region();
  }

  private SendWr write(long wrId) {
    return SendWr.rdmaWrite(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
  }

  private SendWr read(long wrId) {
    return SendWr.rdmaRead(wrId, remote.addr(), remote.rkey(), local.sge(0, 8));
  }

  private void postReceives(int count) {
    for (int wrId = 1; wrId <= count; wrId++) {
      pair.b().qp().postRecv(RecvWr.of(wrId, remote.sge()));
    }
  }

  @Test
  void comeInTheOrderOfPosting() {
    postReceives(2);

    pair.a()
        .qp()
        .postSend(List.of(SendWr.send(5), read(3), write(9), SendWr.send(1), read(2), write(7)));
    pair.drain();

    assertThat(pair.a().sends())
        .containsExactly(
            "5 SEND", "3 RDMA_READ 8", "9 RDMA_WRITE", "1 SEND", "2 RDMA_READ 8", "7 RDMA_WRITE");
    assertThat(pair.b().receives()).containsExactly("1 RECV 0", "2 RECV 0");
  }

  @Test
  void keepAllBitsOfTheRequestIdentifier() {
    postReceives(1);

    pair.a().qp().postSend(SendWr.send(0xfedc_ba98_7654_3210L));
    pair.drain();

    assertThat(pair.a().sendCompletions())
        .extracting(WorkCompletion::wrId)
        .containsExactly(0xfedc_ba98_7654_3210L);
  }

  @Test
  void nameTheLocalQueuePair() {
    postReceives(1);

    pair.a().qp().postSend(SendWr.send(1));
    pair.drain();

    assertThat(pair.a().sendCompletions())
        .extracting(WorkCompletion::qpNum)
        .containsExactly(pair.a().qp().qpNum());
    assertThat(pair.b().receiveCompletions())
        .extracting(WorkCompletion::qpNum)
        .containsExactly(pair.b().qp().qpNum());
  }

  @Test
  void carryTheImmediateOfASend() {
    postReceives(1);

    pair.a().qp().postSend(SendWr.sendWithImm(1, 0x8000_cafe, local.sge(0, 5)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 SEND");
    assertThat(pair.b().receives()).containsExactly("1 RECV 5 imm 0x8000cafe");
  }

  @Test
  void carryTheImmediateOfAWriteAndItsLength() {
    postReceives(1);

    pair.a()
        .qp()
        .postSend(
            SendWr.rdmaWriteWithImm(1, remote.addr() + 100, remote.rkey(), 0, local.sge(0, 3000)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE");
    assertThat(pair.b().receives()).containsExactly("1 RECV_RDMA_WITH_IMM 3000 imm 0x00000000");
  }

  @Test
  void haveNoFlagsForAPlainSend() {
    postReceives(1);

    pair.a().qp().postSend(SendWr.send(1, local.sge(0, 5)));
    pair.drain();

    assertThat(pair.b().receiveCompletions())
        .singleElement()
        .satisfies(wc -> assertThat(wc.wcFlags()).doesNotContain(WcFlag.WITH_IMM, WcFlag.GRH));
  }

  @Test
  void stayAwayForUnsignaledSends() {
    postReceives(1);

    pair.a()
        .qp()
        .postSend(
            List.of(
                SendWr.send(1).withFlags(), write(2).withFlags(), read(3).withFlags(), write(4)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("4 RDMA_WRITE");
    assertThat(pair.b().receives()).containsExactly("1 RECV 0");
  }

  @Test
  void comeForEverySendIfTheQueuePairSaysSo() {
    try (Pair all = Pair.on(form).sqSigAll().connect()) {
      MemoryRegion target = all.b().region();

      all.a()
          .qp()
          .postSend(
              List.of(
                  SendWr.rdmaWrite(1, target.addr(), target.rkey()).withFlags(),
                  SendWr.rdmaWrite(2, target.addr(), target.rkey())));
      all.drain();

      assertThat(all.a().sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_WRITE");
    }
  }

  @Test
  void countUnsignaledSendsAsDoneWithTheNextSignaledOne() {
    byte[] message = Bytes.pattern(8, 4);
    Bytes.into(local, 0, message);

    pair.a().qp().postSend(List.of(write(1).withFlags(), read(2)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("2 RDMA_READ 8");
    assertThat(Bytes.in(remote, 0, 8)).isEqualTo(message);
  }

  @Test
  void comeOnlyAfterTheDataIsThere() {
    postReceives(1);
    byte[] message = Bytes.pattern(5000, 4);
    Bytes.into(local, 0, message);

    pair.a().qp().postSend(SendWr.send(1, local.sge(0, 5000)));
    pair.drain();

    assertThat(pair.b().receives()).containsExactly("1 RECV 5000");
    assertThat(Bytes.in(remote, 0, 5000)).isEqualTo(message);
  }

  @Test
  void captureInlineDataAtPostTime() {
    byte[] message = Bytes.pattern(100, 4);
    Bytes.into(local, 0, message);

    pair.a()
        .qp()
        .postSend(
            SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), local.sge(0, 100))
                .withFlags(SendFlag.SIGNALED, SendFlag.INLINE));
    Bytes.into(local, 0, new byte[100]);
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RDMA_WRITE");
    assertThat(Bytes.in(remote, 0, 100)).isEqualTo(message);
  }

  @Test
  void needNoMemoryAnyMoreForInlineData() {
    MemoryRegion shortLived = pair.a().register(16);
    SendWr write =
        SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), shortLived.sge())
            .withFlags(SendFlag.SIGNALED, SendFlag.INLINE);
    Bytes.into(shortLived, 0, Bytes.pattern(16, 1));
    // The peer has not got the packet yet when the memory goes.
    pair.a().qp().postSend(List.of(read(7), write.withFlags(SendFlag.FENCE, SendFlag.INLINE)));
    shortLived.close();
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("7 RDMA_READ 8");
    assertThat(Bytes.in(remote, 0, 16)).isEqualTo(Bytes.pattern(16, 1));
  }

  @Test
  void letAFencedWriteUseWhatAReadBrought() {
    Bytes.into(remote, 0, Bytes.pattern(3000, 9));
    Sge buffer = local.sge(0, 3000);

    pair.a()
        .qp()
        .postSend(
            List.of(
                SendWr.rdmaRead(1, remote.addr(), remote.rkey(), buffer),
                SendWr.rdmaWrite(2, remote.addr() + 8192, remote.rkey(), buffer)
                    .withFlags(SendFlag.SIGNALED, SendFlag.FENCE)));
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("1 RDMA_READ 3000", "2 RDMA_WRITE");
    assertThat(Bytes.in(remote, 8192, 3000)).isEqualTo(Bytes.pattern(3000, 9));
  }

  @Test
  void giveAReadTheDataFromBeforeALaterWrite() {
    byte[] old = Bytes.pattern(5000, 1);
    Bytes.into(remote, 0, old);
    MemoryRegion fresh = pair.a().register(5000);

    pair.a()
        .qp()
        .postSend(
            List.of(
                SendWr.rdmaRead(1, remote.addr(), remote.rkey(), local.sge(0, 5000)),
                SendWr.rdmaWrite(2, remote.addr(), remote.rkey(), fresh.sge())));
    pair.drain();

    assertThat(Bytes.in(local, 0, 5000)).isEqualTo(old);
    assertThat(Bytes.in(remote, 0, 5000)).containsOnly(TestEndpoint.FILL);
  }

  @Test
  void giveAReadTheDataOfAnEarlierWrite() {
    byte[] fresh = Bytes.pattern(5000, 1);
    Bytes.into(local, 0, fresh);

    pair.a()
        .qp()
        .postSend(
            List.of(
                SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), local.sge(0, 5000)),
                SendWr.rdmaRead(2, remote.addr(), remote.rkey(), local.sge(10_000, 5000))));
    pair.drain();

    assertThat(Bytes.in(local, 10_000, 5000)).isEqualTo(fresh);
  }

  @Test
  void crossInBothDirectionsAtOnce() {
    for (int i = 0; i < 20; i++) {
      pair.a().qp().postRecv(RecvWr.of(i, local.sge(i * 2000, 2000)));
      pair.b().qp().postRecv(RecvWr.of(i, remote.sge(i * 2000, 2000)));
    }
    MemoryRegion sourceA = pair.a().register(2000);
    MemoryRegion sourceB = pair.b().register(2000);
    for (int i = 0; i < 20; i++) {
      pair.a().qp().postSend(SendWr.send(i, sourceA.sge()));
      pair.b().qp().postSend(SendWr.send(i, sourceB.sge()));
    }

    pair.drain();

    assertThat(pair.a().sends()).hasSize(20).allMatch(each -> each.endsWith("SEND"));
    assertThat(pair.b().sends()).hasSize(20).allMatch(each -> each.endsWith("SEND"));
    assertThat(pair.a().receives()).hasSize(20).allMatch(each -> each.endsWith("RECV 2000"));
    assertThat(pair.b().receives()).hasSize(20).allMatch(each -> each.endsWith("RECV 2000"));
  }

  @Test
  void keepMoreReadsWaitingThanMayBeOutstanding() {
    for (int i = 0; i < 30; i++) {
      pair.a().qp().postSend(read(i));
    }

    pair.drain();

    assertThat(pair.a().sends()).hasSize(30).allMatch(each -> each.endsWith("RDMA_READ 8"));
  }
}

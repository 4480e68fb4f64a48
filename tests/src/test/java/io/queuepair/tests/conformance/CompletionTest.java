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

    pair.send(SendWr.send(5), read(3), write(9), SendWr.send(1), read(2), write(7));

    assertThat(pair.a().sends())
        .containsExactly(
            "5 SEND", "3 RDMA_READ 8", "9 RDMA_WRITE", "1 SEND", "2 RDMA_READ 8", "7 RDMA_WRITE");
    assertThat(pair.b().receives()).containsExactly("1 RECV 0", "2 RECV 0");
  }

  @Test
  void keepAllBitsOfTheRequestIdentifierAndNameTheLocalQueuePair() {
    postReceives(1);

    pair.send(SendWr.send(0xfedc_ba98_7654_3210L));

    WorkCompletion sent = pair.a().sendCompletions().get(0);
    WorkCompletion received = pair.b().receiveCompletions().get(0);
    assertThat(sent.wrId()).isEqualTo(0xfedc_ba98_7654_3210L);
    assertThat(sent.qpNum()).isEqualTo(pair.a().qp().qpNum());
    assertThat(received.qpNum()).isEqualTo(pair.b().qp().qpNum());
    assertThat(received.wcFlags()).doesNotContain(WcFlag.WITH_IMM, WcFlag.GRH);
  }

  @Test
  void carryImmediateDataAndTheLength() {
    postReceives(2);

    pair.send(
        SendWr.sendWithImm(1, 0x8000_cafe, local.sge(0, 5)),
        SendWr.rdmaWriteWithImm(2, remote.addr() + 100, remote.rkey(), 0, local.sge(0, 3000)));

    assertThat(pair.a().sends()).containsExactly("1 SEND", "2 RDMA_WRITE");
    assertThat(pair.b().receives())
        .containsExactly("1 RECV 5 imm 0x8000cafe", "2 RECV_RDMA_WITH_IMM 3000 imm 0x00000000");
  }

  @Test
  void stayAwayForUnsignaledSendsWhichAreDoneWithTheNextSignaledOne() {
    postReceives(1);
    Bytes.into(local, 0, Bytes.pattern(8, 4));

    pair.send(SendWr.send(1).withFlags(), write(2).withFlags(), read(3).withFlags(), read(4));

    assertThat(pair.a().sends()).containsExactly("4 RDMA_READ 8");
    assertThat(pair.b().receives()).containsExactly("1 RECV 0");
    assertThat(Bytes.in(remote, 0, 8)).isEqualTo(Bytes.pattern(8, 4));
  }

  @Test
  void comeForEverySendIfTheQueuePairSaysSo() {
    try (Pair all = Pair.on(form).sqSigAll().connect()) {
      MemoryRegion target = all.b().region();

      all.send(
          SendWr.rdmaWrite(1, target.addr(), target.rkey()).withFlags(),
          SendWr.rdmaWrite(2, target.addr(), target.rkey()));

      assertThat(all.a().sends()).containsExactly("1 RDMA_WRITE", "2 RDMA_WRITE");
    }
  }

  @Test
  void needNoMemoryAnyMoreForInlineData() {
    MemoryRegion shortLived = pair.a().register(16);
    SendWr write = SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), shortLived.sge());
    Bytes.into(shortLived, 0, Bytes.pattern(16, 1));
    // The peer has not got the packet yet when the memory goes.
    pair.a().qp().postSend(List.of(read(7), write.withFlags(SendFlag.FENCE, SendFlag.INLINE)));
    Bytes.into(shortLived, 0, new byte[16]);
    shortLived.close();
    pair.drain();

    assertThat(pair.a().sends()).containsExactly("7 RDMA_READ 8");
    assertThat(Bytes.in(remote, 0, 16)).isEqualTo(Bytes.pattern(16, 1));
  }

  @Test
  void letAFencedWriteUseWhatAReadBrought() {
    Bytes.into(remote, 0, Bytes.pattern(3000, 9));
    Sge buffer = local.sge(0, 3000);

    pair.send(
        SendWr.rdmaRead(1, remote.addr(), remote.rkey(), buffer),
        SendWr.rdmaWrite(2, remote.addr() + 8192, remote.rkey(), buffer)
            .withFlags(SendFlag.SIGNALED, SendFlag.FENCE));

    assertThat(pair.a().sends()).containsExactly("1 RDMA_READ 3000", "2 RDMA_WRITE");
    assertThat(Bytes.in(remote, 8192, 3000)).isEqualTo(Bytes.pattern(3000, 9));
  }

  @Test
  void giveAReadTheDataFromBetweenTheWritesAroundIt() {
    byte[] earlier = Bytes.pattern(5000, 1);
    Bytes.into(local, 0, earlier);
    MemoryRegion later = pair.a().register(5000);

    pair.send(
        SendWr.rdmaWrite(1, remote.addr(), remote.rkey(), local.sge(0, 5000)),
        SendWr.rdmaRead(2, remote.addr(), remote.rkey(), local.sge(10_000, 5000)),
        SendWr.rdmaWrite(3, remote.addr(), remote.rkey(), later.sge()));

    assertThat(Bytes.in(local, 10_000, 5000)).isEqualTo(earlier);
    assertThat(Bytes.in(remote, 0, 5000)).containsOnly(TestEndpoint.FILL);
  }
}

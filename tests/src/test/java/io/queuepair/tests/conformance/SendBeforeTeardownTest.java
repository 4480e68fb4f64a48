// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MemoryWindow;
import io.queuepair.verbs.MwBind;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.ReregMr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A post rings the doorbell before it returns (ibv_post_send(3): the adapter starts processing), so
 * that the verb after it finds the send on its way, on every network.
 */
@Timeout(60)
final class SendBeforeTeardownTest {
  private static final int BYTES = 64;

  /** More than a busy machine needs. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private enum Network {
    MEMORY,
    MEMORY_LATE_DOORBELLS,
    UDP,
    UDP_DRIVEN_BY_CALLER;

    Pair connect(QpType type) {
      return Pair.on(fabric())
          .hosts("127.0.0.121", "127.0.0.122")
          .type(type)
          .cap(new QpCap(256, 256, 1, 1, 0))
          .access(Attributes.DATA_RIGHTS)
          .connect();
    }

    private Fabric fabric() {
      return switch (this) {
        case MEMORY -> InMemoryFabric.virtualTime();
        case MEMORY_LATE_DOORBELLS -> new LateDoorbells(InMemoryFabric.virtualTime());
        case UDP -> UdpFabric.open(options());
        case UDP_DRIVEN_BY_CALLER ->
            UdpFabric.open(options().withProgress(Scheduler.ProgressMode.CALLER_DRIVEN));
      };
    }

    private static UdpOptions options() {
      return UdpOptions.defaults().withPort(FreePort.of("127.0.0.121"));
    }
  }

  /** Request that is posted; the peer learns of it by itself, or by the SEND that follows it. */
  private enum Operation {
    SEND,
    SEND_WITH_IMM,
    RDMA_WRITE,
    RDMA_WRITE_WITH_IMM,
    RDMA_READ,
    FETCH_AND_ADD,
    UC_SEND,
    UC_WRITE,
    UD_SEND;

    QpType type() {
      return switch (this) {
        case UC_SEND, UC_WRITE -> QpType.UC;
        case UD_SEND -> QpType.UD;
        case SEND, SEND_WITH_IMM, RDMA_WRITE, RDMA_WRITE_WITH_IMM, RDMA_READ, FETCH_AND_ADD ->
            QpType.RC;
      };
    }

    List<SendWr> requests(TestEndpoint a, MemoryRegion from, TestEndpoint b, MemoryRegion to) {
      SendWr.Send send = SendWr.send(2, from.sge());
      return switch (this) {
        case SEND, UC_SEND -> List.of(send);
        case SEND_WITH_IMM -> List.of(SendWr.sendWithImm(2, 5, from.sge()));
        case RDMA_WRITE, UC_WRITE ->
            List.of(SendWr.rdmaWrite(1, to.addr(), to.rkey(), from.sge()), send);
        case RDMA_WRITE_WITH_IMM ->
            List.of(SendWr.rdmaWriteWithImm(2, to.addr(), to.rkey(), 5, from.sge()));
        case RDMA_READ -> List.of(SendWr.rdmaRead(1, to.addr(), to.rkey(), from.sge()), send);
        case FETCH_AND_ADD ->
            List.of(
                SendWr.fetchAndAdd(
                    1, new SendWr.RemoteTarget(to.addr(), to.rkey()), 7, from.sge(0, 8)),
                send);
        case UD_SEND -> List.of(send.to(a.ah(), b.qp().qpNum(), TestEndpoint.QKEY));
      };
    }

    void checkMemory(MemoryRegion to) {
      ByteBuffer bytes = to.buffer().order(ByteOrder.nativeOrder());
      switch (this) {
        case RDMA_WRITE, UC_WRITE, RDMA_WRITE_WITH_IMM ->
            assertThat(Bytes.in(to, 0, BYTES)).isEqualTo(Bytes.fill(BYTES, 'a'));
        case FETCH_AND_ADD -> assertThat(bytes.getLong(0)).isEqualTo(8);
        case SEND, SEND_WITH_IMM, RDMA_READ, UC_SEND, UD_SEND -> {}
      }
    }
  }

  private enum Verb {
    ERR,
    RESET,
    SQD,
    DESTROY_QP,
    DEREG_MR,
    REREG_MR,
    CLOSE_CONTEXT;

    void call(TestEndpoint side, MemoryRegion from) {
      switch (this) {
        case ERR -> side.qp().modify(QpAttr.to(QpState.ERR));
        case RESET -> side.qp().modify(QpAttr.to(QpState.RESET));
        case SQD -> side.qp().modify(QpAttr.to(QpState.SQD));
        case DESTROY_QP -> side.qp().close();
        case DEREG_MR -> from.close();
        case REREG_MR ->
            from.rereg(ReregMr.nothing().withTranslation(ByteBuffer.allocateDirect(BYTES)));
        case CLOSE_CONTEXT -> side.context().close();
      }
    }
  }

  static Stream<Arguments> table() {
    List<Arguments> table = new ArrayList<>();
    for (Network network : Network.values()) {
      for (Verb verb : Verb.values()) {
        for (Operation operation : Operation.values()) {
          table.add(Arguments.of(network, verb, operation));
        }
      }
    }
    return table.stream();
  }

  private static MemoryRegion region(TestEndpoint side, char fill) {
    MemoryRegion region = side.register(BYTES, Attributes.DATA_RIGHTS);
    Bytes.into(region, 0, Bytes.fill(BYTES, fill));
    return region;
  }

  private static void expectReceive(Pair pair, long wrId) {
    WorkCompletion completion = pair.await(pair.b().recvCq(), SOON).orElseThrow();
    assertThat(completion.isSuccess()).as(completion.explain()).isTrue();
    assertThat(completion.wrId()).isEqualTo(wrId);
  }

  @ParameterizedTest
  @MethodSource("table")
  void leavesBeforeTheVerb(Network network, Verb verb, Operation operation) {
    try (Pair pair = network.connect(operation.type())) {
      MemoryRegion from = region(pair.a(), 'a');
      MemoryRegion to = pair.b().register(BYTES, Attributes.DATA_RIGHTS);
      to.buffer().order(ByteOrder.nativeOrder()).putLong(0, 1);
      MemoryRegion received = pair.b().register(BYTES + 40);
      pair.b().qp().postRecv(RecvWr.of(7, received.sge()));

      pair.a().qp().postSend(operation.requests(pair.a(), from, pair.b(), to));
      verb.call(pair.a(), from);

      expectReceive(pair, 7);
      operation.checkMemory(to);
    }
  }

  static Stream<Arguments> verbs() {
    return Stream.of(Network.values())
        .flatMap(network -> Stream.of(Verb.values()).map(verb -> Arguments.of(network, verb)));
  }

  /** No more than the window of a socket with a small buffer holds. */
  @ParameterizedTest
  @MethodSource("verbs")
  void aWindowOfThemLeavesBeforeTheVerb(Network network, Verb verb) {
    int sends = 64;
    int receives = 256; // So that credits, which are rounded down, do not keep any back.
    int bytes = 1024;
    try (Pair pair = network.connect(QpType.RC)) {
      MemoryRegion from = pair.a().register(bytes);
      MemoryRegion received = pair.b().register(bytes);
      for (int i = 0; i < receives; i++) {
        pair.b().qp().postRecv(RecvWr.of(i, received.sge()));
      }

      for (int i = 0; i < sends; i++) {
        pair.a().qp().postSend(SendWr.send(i, from.sge()));
      }
      verb.call(pair.a(), from);

      for (int i = 0; i < sends; i++) {
        expectReceive(pair, i);
      }
    }
  }

  /**
   * The window is bound before it is freed, so that the region has one no more (ibv_bind_mw(3)).
   */
  @ParameterizedTest
  @EnumSource
  void aBindIsCarriedOutBeforeTheRegionGoes(Network network) {
    try (Pair pair = network.connect(QpType.RC)) {
      MemoryRegion region = pair.a().register(BYTES, Window.BINDABLE);
      MemoryWindow window = pair.a().pd().allocMw(MwType.TYPE_1);

      pair.a().qp().bindMw(window, new MwBind(1, Set.of(), Window.over(region, Window.ALL_REMOTE)));

      assertThatThrownBy(region::close).hasMessageContaining("a memory window is bound");
      window.close();
      region.close();
    }
  }
}

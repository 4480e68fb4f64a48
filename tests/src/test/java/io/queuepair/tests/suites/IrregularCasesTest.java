// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.Emulator;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.SendWindowConfig;
import io.queuepair.tests.conformance.Attributes;
import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Outcomes;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.tests.conformance.Window;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.GlobalRoute;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.MwType;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.SrqAttr;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cases that need more than two queue pairs, or a look between the steps. */
final class IrregularCasesTest {
  private static final QpCap CAP = QpCap.of(64);

  private static ConnectedPair connected(Function<Pair.Builder, Pair.Builder> setup) {
    return new ConnectedPair(setup.apply(Pair.on(LinkForm.OBJECTS)).connect(), ConnectedPair.PAGE);
  }

  private static ConnectedPair connected() {
    return connected(ConnectedPair::reliable);
  }

  /** More queue pairs of that type, connected to each other. */
  private static List<QueuePair> another(ConnectedPair bed) {
    QueuePair near = bed.a().createQp(QpType.RC, CAP);
    QueuePair far = bed.b().createQp(QpType.RC, CAP);
    Emulator.connect(near, far);
    return List.of(near, far);
  }

  /** An IPv4 header is in the second half of the GRH area; TOS is its second byte. */
  @Test
  void theTrafficClassOfADatagramIsThatOfTheHandle() {
    try (ConnectedPair bed = connected(ConnectedPair::datagrams)) {
      GlobalRoute route = new GlobalRoute(bed.b().context().queryGid(1, 0), 0, 0, 64, 0xff);
      var ah = bed.a().pd().createAh(new AhAttr(route, 0, 1));
      bed.receive(0, bed.remote().sge());
      bed.a()
          .qp()
          .postSend(
              SendWr.send(1, bed.local().sge(0, 8))
                  .to(ah, bed.b().qp().qpNum(), TestEndpoint.QKEY));

      bed.expect(List.of("1 SEND"), List.of("0 RECV 48 [GRH]"));
      assertThat(bed.remote().buffer().get(21) & 0xfc).isEqualTo(0xfc);
    }
  }

  @Test
  void aDatagramDoesNotReachAConnection() {
    try (ConnectedPair bed = connected(ConnectedPair::datagrams)) {
      List<QueuePair> connected = another(bed);
      QueuePair connection = connected.get(1);
      connection.postRecv(RecvWr.of(9, bed.remote().sge()));
      SendWr send = SendWr.send(1, bed.local().sge(0, 8));
      bed.a().qp().postSend(send.to(bed.a().ah(), connection.qpNum(), TestEndpoint.QKEY));

      bed.expect(List.of("1 SEND"), List.of());
      bed.assertRemoteFullOf('b');
      connected.forEach(QueuePair::close);
    }
  }

  @Test
  void memoryOfWritesInFlightMayGo() {
    DeviceProfile fewInFlight = DeviceProfile.standard().withPacing(SendWindowConfig.softRoce());
    try (ConnectedPair bed =
        connected(builder -> ConnectedPair.reliable(builder.profile(fewInFlight)))) {
      bed.a().qp().postSend(Collections.nCopies(100, bed.write(1)));
      List<String> outcomes = new ArrayList<>();
      outcomes.add(Outcomes.of(bed.pair().await(bed.a().sendCq())));
      bed.local().close();
      bed.pair().drain();
      outcomes.addAll(bed.a().sends());

      int failed = outcomes.indexOf("1 LOC_PROT_ERR");
      assertThat(outcomes).hasSize(100);
      assertThat(outcomes.subList(0, failed)).isNotEmpty().containsOnly("1 RDMA_WRITE");
      assertThat(outcomes.subList(failed + 1, 100)).isNotEmpty().containsOnly("1 WR_FLUSH_ERR");
    }
  }

  @Test
  void aSendQueueNeverOverflowsWhileHalfOfItIsFree() {
    try (ConnectedPair bed = connected()) {
      int half = bed.a().qp().query().cap().maxSendWr() / 2;
      List<SendWr> chain = IntStream.range(0, half).mapToObj(bed::read).toList();
      List<String> expected =
          IntStream.range(0, half).mapToObj(i -> i + " RDMA_READ 4096").toList();
      bed.a().qp().postSend(chain);
      for (int batch = 1; batch < 20; batch++) {
        bed.a().qp().postSend(chain);
        for (String outcome : expected) {
          assertThat(Outcomes.of(bed.pair().await(bed.a().sendCq()))).isEqualTo(outcome);
        }
      }
      bed.expect(expected, List.of());
    }
  }

  private static Window bound(ConnectedPair bed, MwType type) {
    return Window.bound(bed.pair(), bed.b(), type, Window.over(bed.remote(), Window.ALL_REMOTE));
  }

  @Test
  void windowsWithOneTagHaveDifferentKeys() {
    try (ConnectedPair bed = connected()) {
      Set<Integer> rkeys = new TreeSet<>();
      for (int i = 0; i < 4096; i++) {
        var bind =
            Window.request(
                bed.b().pd().allocMw(MwType.TYPE_2),
                1024,
                Window.over(bed.remote(), Window.ALL_REMOTE));
        bed.b().qp().postSend(bind);
        assertThat(Outcomes.of(bed.pair().await(bed.b().sendCq()))).endsWith("BIND_MW");
        assertThat(bind.rkey() & 0xff).as("the lower 8 bits of 1024").isZero();
        rkeys.add(bind.rkey());
      }
      assertThat(rkeys).hasSize(4096);
    }
  }

  @Test
  void aBoundWindowIsNotBoundThroughAnotherQueuePair() {
    try (ConnectedPair bed = connected()) {
      Window window = bound(bed, MwType.TYPE_2);
      List<QueuePair> other = another(bed);
      Window.posted(other.get(1), window.mw(), Window.over(bed.remote(), Window.ALL_REMOTE));
      bed.pair().drain();

      assertThat(bed.b().sends()).containsExactly(Window.BIND + " MW_BIND_ERR");
      other.forEach(QueuePair::close);
    }
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  void aBindOfAWindowThatIsGoneFails(MwType type) {
    try (ConnectedPair bed = connected()) {
      var mw = bed.a().pd().allocMw(type);
      mw.close();
      Window.posted(bed.a().qp(), mw, Window.over(bed.local(), Window.ALL_REMOTE));

      bed.expect(List.of(Window.BIND + " MW_BIND_ERR"), List.of());
    }
  }

  @ParameterizedTest
  @EnumSource(MwType.class)
  void aQueuePairThatBoundAWindowCanBeDestroyed(MwType type) {
    try (ConnectedPair bed = connected()) {
      bound(bed, type);
      bed.b().qp().close();

      // A window of type 1 belongs to no queue pair, and stays bound.
      assertThat(Errnos.of(bed.remote()::close))
          .isEqualTo(type == MwType.TYPE_1 ? Errno.EBUSY : null);
    }
  }

  static Stream<Function<SendWr.RemoteTarget, Function<ConnectedPair, SendWr>>> accesses() {
    return Stream.of(
        to -> bed -> SendWr.rdmaRead(1, to.addr(), to.rkey(), bed.local().sge(0, 8)),
        to -> bed -> SendWr.fetchAndAdd(1, to, 1, bed.local().sge(0, 8)),
        to -> bed -> SendWr.compareAndSwap(1, to, 2, 3, bed.local().sge(0, 8)));
  }

  @ParameterizedTest
  @MethodSource("accesses")
  void aWindowOfAnotherDomainIsClosed(
      Function<SendWr.RemoteTarget, Function<ConnectedPair, SendWr>> access) {
    try (ConnectedPair bed = connected()) {
      ProtectionDomain other = bed.b().context().allocPd();
      MemoryRegion region = TestEndpoint.registerIn(other, 64, ConnectedPair.ALL_RIGHTS);
      var cq = bed.b().context().createCq(10);
      QueuePair owner = other.createQp(QpInitAttr.rc(cq, CAP));
      Emulator.connect(owner, other.createQp(QpInitAttr.rc(cq, CAP)));
      Window window =
          Window.posted(
              owner, other.allocMw(MwType.TYPE_1), Window.over(region, Window.ALL_REMOTE));
      assertThat(Outcomes.of(bed.pair().await(cq))).isEqualTo(Window.BIND + " BIND_MW");

      bed.post(access.apply(new SendWr.RemoteTarget(region.addr(), window.rkey())).apply(bed));
      bed.expect(List.of("1 REM_ACCESS_ERR"), List.of());
    }
  }

  @Test
  void anInvalidationStopsReadsOnTheWay() {
    try (ConnectedPair bed = connected()) {
      Window window = bound(bed, MwType.TYPE_2);
      SendWr read = SendWr.rdmaRead(1, bed.remote().addr(), window.rkey(), bed.local().sge());
      bed.a().qp().postSend(Collections.nCopies(100, read));
      bed.pair().run(Duration.ofNanos(20_000));
      bed.b().qp().postSend(window.invalidation());
      bed.pair().drain();
      List<String> reads = bed.a().sends();

      int failed = reads.indexOf("1 REM_ACCESS_ERR");
      assertThat(reads).hasSize(100);
      assertThat(reads.subList(0, failed)).isNotEmpty().containsOnly("1 RDMA_READ 4096");
      assertThat(reads.subList(failed + 1, 100)).isNotEmpty().containsOnly("1 WR_FLUSH_ERR");
      assertThat(bed.b().sends()).containsExactly(Window.INVALIDATE + " LOCAL_INV");
    }
  }

  private static ConnectedPair sharing() {
    return connected(builder -> ConnectedPair.reliable(builder).srq(SrqAttr.of(200, 2)));
  }

  @Test
  void aListWithoutEndStopsWhereTheSharedQueueIsFull() {
    try (ConnectedPair bed = sharing()) {
      List<RecvWr> endless =
          Collections.nCopies(Integer.MAX_VALUE, RecvWr.of(1, bed.remote().sge(0, 1)));
      var refusal =
          catchThrowableOfType(
              BadWorkRequestException.class, () -> bed.b().srq().postRecv(endless));

      assertThat(refusal.index()).isEqualTo(200);
    }
  }

  @Test
  void connectionsAndDatagramsTakeSharedReceivesInTurn() {
    try (ConnectedPair bed = sharing()) {
      List<QueuePair> second = another(bed);
      QueuePair from = bed.a().createQp(QpType.UD, CAP);
      QueuePair to = bed.b().createQp(QpType.UD, CAP);
      Attributes.connect(from, bed.a().context().queryGid(1, 0), 0, 1);
      Attributes.connect(to, bed.b().context().queryGid(1, 0), 0, 1);
      var ah = bed.a().pd().createAh(AhAttr.to(bed.b().context().queryGid(1, 0)));
      for (int i = 0; i < 5; i++) {
        bed.b().postRecv(RecvWr.of(i, bed.remote().sge()));
      }
      for (int i = 0; i < 2; i++) {
        bed.post(bed.send(1, bed.local().sge(0, 8)));
        bed.pair().drain();
        second.get(0).postSend(SendWr.send(2, bed.local().sge(0, 16)));
        bed.pair().drain();
      }
      from.postSend(SendWr.send(3, bed.local().sge(0, 24)).to(ah, to.qpNum(), TestEndpoint.QKEY));

      bed.expect(
          List.of("1 SEND", "2 SEND", "1 SEND", "2 SEND", "3 SEND"),
          List.of("0 RECV 8", "1 RECV 16", "2 RECV 8", "3 RECV 16", "4 RECV 64 [GRH]"));
      Stream.of(from, to, second.get(0), second.get(1)).forEach(QueuePair::close);
    }
  }

  /** The receive is of the domain of the shared queue, a write of that of the queue pair. */
  @Test
  void aSharedQueueMayBeOfAnotherDomainThanTheQueuePair() {
    try (ConnectedPair bed = sharing()) {
      ProtectionDomain other = bed.b().context().allocPd();
      MemoryRegion memory = TestEndpoint.registerIn(other, 64, ConnectedPair.ALL_RIGHTS);
      QueuePair near = bed.a().createQp(QpType.RC, CAP);
      QueuePair far = other.createQp(QpInitAttr.rc(bed.b().recvCq(), CAP).withSrq(bed.b().srq()));
      Emulator.connect(near, far);
      bed.b().postRecv(RecvWr.of(0, bed.remote().sge()));
      bed.b().postRecv(RecvWr.of(1, bed.remote().sge()));
      near.postSend(SendWr.send(1, bed.local().sge(0, 64)));
      near.postSend(
          SendWr.rdmaWriteWithImm(2, memory.addr(), memory.rkey(), 7, bed.local().sge(0, 64)));

      bed.expect(
          List.of("1 SEND", "2 RDMA_WRITE"),
          List.of("0 RECV 64", "1 RECV_RDMA_WITH_IMM 64 imm 0x00000007"));
      assertThat(Bytes.in(bed.remote(), 0, 64)).containsOnly('a');
      assertThat(Bytes.in(memory, 0, 64)).containsOnly('a');
      near.close();
      far.close();
    }
  }

  @Test
  void anExtendedCompletionQueueAnnouncesItselfAndIsPolledInOrder() {
    try (ConnectedPair bed = connected()) {
      var channel = bed.a().context().createCompChannel();
      var cq = bed.a().context().createCqEx(CqInitAttrEx.of(10).withChannel(channel));
      QueuePair near = bed.a().pd().createQp(QpInitAttr.rc(cq, CAP));
      QueuePair far = bed.b().createQp(QpType.RC, CAP);
      Emulator.connect(near, far);
      assertThat(Errnos.of(channel::close)).isEqualTo(Errno.EBUSY);
      cq.reqNotify(false);
      for (int i = 0; i < 3; i++) {
        far.postRecv(RecvWr.of(i, bed.remote().sge()));
        near.postSend(SendWr.send(i, bed.local().sge(0, 8)));
      }
      bed.pair().drain();

      assertThat(channel.getCqEvent(Duration.ZERO)).containsSame(cq);
      cq.ackEvents(1);
      List<String> taken = new ArrayList<>();
      try (PollBatch batch = cq.startPoll()) {
        while (batch.nextPoll()) {
          taken.add(batch.wrId() + " " + batch.status() + " " + batch.readOpcode());
        }
      }
      assertThat(taken).containsExactly("0 SUCCESS SEND", "1 SUCCESS SEND", "2 SUCCESS SEND");
      assertThat(cq.startPoll().nextPoll()).isFalse();
      near.close();
      far.close();
    }
  }
}

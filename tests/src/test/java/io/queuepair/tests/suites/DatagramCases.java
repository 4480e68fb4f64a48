// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Datagrams: what cannot be delivered vanishes, and its receive stays for the next one. */
final class DatagramCases {
  private static final int GRH = 40;
  private static final int MESSAGE = 1000;
  private static final int BAD_QKEY = 0xdead_beef & 0x7ff_ffff;

  private DatagramCases() {}

  static Stream<SuiteCase> rows() {
    return Stream.of(delivered(), lost(), refused()).flatMap(List::stream);
  }

  private static SuiteCase row(String id) {
    return SuiteCase.ofDatagrams(id).bytes(2 * ConnectedPair.PAGE);
  }

  private static Sge message(ConnectedPair bed) {
    return bed.local().sge(0, MESSAGE);
  }

  private static void receive(ConnectedPair bed) {
    bed.receive(0, bed.remote().sge(0, GRH + MESSAGE));
  }

  private static void assertDelivered(ConnectedPair bed, int bytes) {
    assertThat(Bytes.in(bed.remote(), GRH, bytes)).isEqualTo(Bytes.fill(bytes, 'a'));
    int rest = bed.remote().length() - GRH - bytes;
    assertThat(Bytes.in(bed.remote(), GRH + bytes, rest)).isEqualTo(Bytes.fill(rest, 'b'));
  }

  /** The receive that is still there takes ten bytes now. */
  private static void assertReceiveIsStillThere(ConnectedPair bed) {
    bed.assertRemoteFullOf('b');
    bed.post(bed.send(7, bed.local().sge(0, 10)));
    bed.expect(List.of("7 SEND"), List.of("0 RECV 50 [GRH]"));
    assertDelivered(bed, 10);
  }

  /** A new local queue pair takes the place of one that failed. */
  private static void assertNewQueuePairReaches(ConnectedPair bed) {
    QueuePair fresh = bed.a().createQp(QpCap.of(1));
    fresh.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(TestEndpoint.QKEY));
    fresh.modify(QpAttr.to(QpState.RTR));
    fresh.modify(QpAttr.to(QpState.RTS).sqPsn(1));

    fresh.postSend(bed.send(7, bed.local().sge(0, 10)));

    bed.expect(List.of("7 SEND"), List.of("0 RECV 50 [GRH]"));
    fresh.close();
  }

  private static List<SuiteCase> delivered() {
    return List.of(
        row("GUT-ud_test-LoopbackUdQpTest.Send")
            .when(
                bed -> {
                  receive(bed);
                  bed.post(bed.send(1, message(bed)));
                })
            .sends("1 SEND")
            .receives("0 RECV 1040 [GRH]")
            .then(bed -> assertDelivered(bed, MESSAGE)),
        row("GUT-simple_rdma_test-SimpleRdmaTest.UdSend")
            .when(
                bed -> {
                  receive(bed);
                  bed.post(bed.send(1, bed.local().sge(0, 256)));
                })
            .sends("1 SEND")
            .receives("0 RECV 296 [GRH]")
            .then(bed -> assertDelivered(bed, 256)),
        row("GUT-ud_test-LoopbackUdQpTest.PollMultipleCqe")
            .when(
                bed -> {
                  bed.b().qp().postRecv(Collections.nCopies(5, bigReceive(bed)));
                  bed.a().qp().postSend(Collections.nCopies(5, bed.send(1, message(bed))));
                })
            .sends("1 SEND", "1 SEND", "1 SEND", "1 SEND", "1 SEND")
            .receives(Collections.nCopies(5, "0 RECV 1040 [GRH]").toArray(String[]::new)));
  }

  private static RecvWr bigReceive(ConnectedPair bed) {
    return RecvWr.of(0, bed.remote().sge(0, GRH + MESSAGE));
  }

  private static List<SuiteCase> lost() {
    return List.of(
        row("GUT-ud_test-LoopbackUdQpTest.SendLargerThanMtu")
            .when(
                bed -> {
                  int mtu = bed.a().context().queryPort(1).activeMtu().bytes();
                  bed.receive(0, bed.remote().sge());
                  bed.post(bed.send(1, bed.local().sge(0, mtu + 10)));
                })
            .sends("1 LOC_LEN_ERR")
            .then(DatagramCases::assertNewQueuePairReaches),
        row("GUT-ud_test-LoopbackUdQpTest.SendRnr")
            .when(bed -> bed.post(bed.send(1, message(bed))))
            .sends("1 SEND")
            .then(DatagramCases::assertNextArrives),
        row("GUT-ud_test-LoopbackUdQpTest.SendRnrUnsignaledBatch")
            .when(DatagramCases::sendUnsignaledBatches)
            .then(DatagramCases::assertNextArrives),
        row("GUT-ud_test-LoopbackUdQpTest.SendWithTooSmallRecv")
            .when(
                bed -> {
                  bed.receive(0, bed.remote().sge(0, 940));
                  bed.post(bed.send(1, message(bed)));
                })
            .sends("1 SEND")
            .then(DatagramCases::assertReceiveIsStillThere),
        row("GUT-ud_test-LoopbackUdQpTest.SendInvalidQpn")
            .when(DatagramCases::misaddressQpn)
            .sends("1 SEND")
            .then(DatagramCases::assertReceiveIsStillThere),
        row("GUT-ud_test-LoopbackUdQpTest.SendInvalidQKey")
            .when(bed -> misaddress(bed, bed.b().qp().qpNum(), BAD_QKEY))
            .sends("1 SEND")
            .then(DatagramCases::assertReceiveIsStillThere),
        row("GUT-ud_test-AdvancedLoopbackTest.UdSendToRc").when(DatagramCases::sendToReliable));
  }

  private static void assertNextArrives(ConnectedPair bed) {
    receive(bed);
    bed.post(bed.send(2, message(bed)));
    bed.expect(List.of("2 SEND"), List.of("0 RECV 1040 [GRH]"));
    assertDelivered(bed, MESSAGE);
  }

  private static void sendUnsignaledBatches(ConnectedPair bed) {
    SendWr unsignaled = bed.send(0, message(bed)).withFlags();
    for (int round = 1; round <= 10; round++) {
      bed.a().qp().postSend(Collections.nCopies(100, unsignaled));
      bed.post(bed.send(round, message(bed)));
      bed.expect(List.of(round + " SEND"), List.of());
    }
  }

  /** A number has 24 bits: more are refused, and datagrams to an unused one are lost. */
  private static void misaddressQpn(ConnectedPair bed) {
    assertRefused(() -> bed.post(SendWr.send(1).to(bed.a().ah(), 0xdead_beef, TestEndpoint.QKEY)));
    misaddress(bed, 0xad_beef, TestEndpoint.QKEY);
  }

  private static void misaddress(ConnectedPair bed, int qpn, int qkey) {
    receive(bed);
    bed.post(SendWr.send(1, message(bed)).to(bed.a().ah(), qpn, qkey));
  }

  /** The queue pair it arrives at is connected to itself. */
  private static void sendToReliable(ConnectedPair bed) {
    receive(bed);
    QueuePair qp = bed.b().pd().createQp(QpInitAttr.rc(bed.b().recvCq(), QpCap.of(1)));
    qp.modify(
        QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qpAccessFlags(AccessFlag.LOCAL_WRITE));
    qp.modify(
        QpAttr.to(QpState.RTR)
            .ahAttr(AhAttr.to(bed.b().context().queryGid(1, 0)))
            .pathMtu(Mtu.MTU_1024)
            .destQpNum(qp.qpNum())
            .rqPsn(0)
            .minRnrTimer(12)
            .maxDestRdAtomic(1));
    qp.postRecv(RecvWr.of(9, bed.remote().sge()));

    bed.post(SendWr.send(1, message(bed)).to(bed.a().ah(), qp.qpNum(), TestEndpoint.QKEY));

    bed.expect(List.of("1 SEND"), List.of());
    assertReceiveIsStillThere(bed);
    qp.close();
  }

  private static void assertRefused(ThrowingCallable post) {
    assertThatThrownBy(post)
        .isInstanceOfSatisfying(
            BadWorkRequestException.class,
            refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
  }

  /** What only connections can do. */
  private static SuiteCase refusedAtPost(String id, Function<ConnectedPair, SendWr> request) {
    return row(id)
        .when(
            bed -> {
              SendWr addressed =
                  request.apply(bed).to(bed.a().ah(), bed.b().qp().qpNum(), TestEndpoint.QKEY);
              receive(bed);
              assertRefused(() -> bed.post(addressed));
            })
        .then(DatagramCases::assertReceiveIsStillThere);
  }

  private static List<SuiteCase> refused() {
    return List.of(
        refusedAtPost("GUT-ud_test-LoopbackUdQpTest.Read", bed -> bed.read(1)),
        refusedAtPost("GUT-ud_test-LoopbackUdQpTest.Write", bed -> bed.write(1)),
        refusedAtPost(
            "GUT-ud_test-LoopbackUdQpTest.CompareSwap",
            bed ->
                SendWr.compareAndSwap(
                    1,
                    new SendWr.RemoteTarget(bed.remote().addr(), bed.remote().rkey()),
                    2,
                    3,
                    bed.local().sge(0, 8))));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.Errnos;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.BadWorkRequestException;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.SharedReceiveQueue;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.SrqAttrMask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Shared receive queues: capacities, traffic, limit event. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class SrqCasesTest {
  private static final int MAX_WR = 200;

  @Parameter private LinkForm form;
  private SrqPair bed;

  @BeforeEach
  void connect() {
    bed = new SrqPair(form.fabric(), SrqAttr.of(MAX_WR, 2));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private List<RecvWr> receives(int count) {
    List<RecvWr> list = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      list.add(RecvWr.of(i, bed.host().target().sge(0, SrqPair.PAGE)));
    }
    return list;
  }

  private Errno errnoOfPosting(int count) {
    return Errnos.of(() -> bed.srq().postRecv(receives(count)));
  }

  private void sendMany(int count) {
    for (int i = 0; i < count; i++) {
      bed.link().near().postSend(bed.send(i, 8));
      bed.host().drain();
    }
  }

  /** The event of the limit, or none. */
  private Optional<AsyncEvent> limitEvent() {
    Optional<AsyncEvent> event = bed.host().context().getAsyncEvent(Duration.ZERO);
    event.ifPresent(bed.host().context()::ackAsyncEvent);
    return event;
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.Create")
  @Tag("GUT-srq_test-SrqTest.CreateQpWithSrq")
  void aQueuePairKnowsTheQueueItShares() {
    SharedReceiveQueue srq = bed.host().pd().createSrq(SrqAttr.of(200, 1));
    QueuePair qp = bed.host().pd().createQp(QpInitAttr.rc(bed.farCq(), QpCap.of(1)).withSrq(srq));

    assertThat(qp.initAttr().srq()).isSameAs(srq);
    assertThat(Errnos.of(srq::close)).isEqualTo(Errno.EBUSY);
    qp.close();
    srq.close();
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.PostWrongApi")
  void receivesArePostedToTheSharedQueueOnly() {
    RecvWr receive = receives(1).get(0);

    assertThat(Errnos.of(() -> bed.link().far().postRecv(receive))).isNotNull();
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.MaxWr")
  void asManyCanBePostedAsWereGranted() {
    assertThat(errnoOfPosting(bed.srq().query().maxWr())).isNull();
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.ExceedMaxWr")
  void noMoreCanBePosted() {
    assertThat(errnoOfPosting(bed.srq().query().maxWr() + 1)).isEqualTo(Errno.ENOMEM);
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.ExceedMaxWrInfinitChain")
  void aListWithoutEndStopsWhereTheQueueIsFull() {
    List<RecvWr> endless =
        Collections.nCopies(Integer.MAX_VALUE, RecvWr.of(1, bed.host().target().sge(0, 1)));

    BadWorkRequestException refusal =
        catchThrowableOfType(BadWorkRequestException.class, () -> bed.srq().postRecv(endless));

    assertThat(refusal.index()).isEqualTo(MAX_WR);
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.MaxSge")
  void asManyPiecesCanBePostedAsWereGranted() {
    int maxSge = bed.srq().query().maxSge();
    Sge[] sges = Collections.nCopies(maxSge, bed.host().target().sge(0, 1)).toArray(new Sge[0]);

    assertThat(Errnos.of(() -> bed.srq().postRecv(RecvWr.of(1, sges)))).isNull();
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.ExceedDeviceMaxWr")
  void noLargerQueueThanTheDeviceHasCanBeMade() {
    long max = bed.host().context().queryDevice().limit(DeviceLimit.MAX_SRQ_WR);

    assertThat(Errnos.of(() -> bed.host().pd().createSrq(SrqAttr.of((int) max + 1, 1))))
        .isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.ModifyMaxWr")
  void aFullQueueCanGrow() {
    assertThat(errnoOfPosting(MAX_WR)).isNull();
    assertThat(errnoOfPosting(1)).isEqualTo(Errno.ENOMEM);

    bed.srq().modify(SrqAttr.of(MAX_WR + 10, 2), EnumSet.of(SrqAttrMask.MAX_WR));

    assertThat(errnoOfPosting(1)).isNull();
  }

  @Test
  @Tag("PYV-srq-SrqTestCase.resize_srq")
  void theNewSizeIsShown() {
    int max = (int) bed.host().context().queryDevice().limit(DeviceLimit.MAX_SRQ_WR);
    int asked = Math.min(max, 2 * MAX_WR);

    bed.srq().modify(SrqAttr.of(asked, 2), EnumSet.of(SrqAttrMask.MAX_WR));

    assertThat(bed.srq().query().maxWr()).isGreaterThanOrEqualTo(asked);
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.Send")
  void aMessageTakesASharedReceive() {
    Bytes.into(bed.host().source(), 0, Bytes.fill(SrqPair.PAGE, 'a'));
    bed.receive(0);

    bed.link().near().postSend(bed.send(1, SrqPair.PAGE));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 4096");
    assertThat(Bytes.in(bed.host().target(), 0, SrqPair.PAGE))
        .isEqualTo(Bytes.fill(SrqPair.PAGE, 'a'));
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.SendManyWithOneOutstanding")
  void manyMessagesFollowEachOther() {
    for (long i = 0; i < 2_000; i++) {
      long wrId = i * 0x1234_5678_9abc_defL;
      byte[] data = Bytes.pattern(64, (int) i);
      Bytes.into(bed.host().source(), 0, data);
      bed.receive(wrId);
      bed.link().near().postSend(bed.send(~wrId, 64));
      bed.host().drain();

      assertThat(bed.nearCq().poll(2)).extracting(wc -> wc.wrId()).containsExactly(~wrId);
      assertThat(bed.receives()).containsExactly(wrId + " RECV 64");
      assertThat(Bytes.in(bed.host().target(), 0, 64)).isEqualTo(data);
    }
  }

  @Test
  @Tag("test_srq.SrqTestCase.test_rc_srq_traffic")
  void twoQueuePairsTakeTheirReceivesInTurn() {
    SuiteHost.HostLink second = bed.link(bed.host().pd());
    for (int i = 0; i < 4; i++) {
      bed.receive(i);
    }

    for (int i = 0; i < 2; i++) {
      bed.link().near().postSend(bed.send(i, 8));
      bed.host().drain();
      second.near().postSend(bed.send(i, 16));
      bed.host().drain();
    }

    assertThat(bed.receives()).containsExactly("0 RECV 8", "1 RECV 16", "2 RECV 8", "3 RECV 16");
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.QpFlush")
  void aQueuePairThatFailsLeavesTheReceivesToTheOthers() {
    QueuePair datagrams =
        bed.host()
            .pd()
            .createQp(QpInitAttr.of(QpType.UD, bed.farCq(), QpCap.of(1)).withSrq(bed.srq()));
    bed.receive(7);

    datagrams.modify(QpAttr.to(QpState.ERR));
    assertThat(bed.receives()).isEmpty();
    bed.link().near().postSend(bed.send(1, 8));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 SEND");
    assertThat(bed.receives()).containsExactly("7 RECV 8");
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.SrqLimit")
  void theLimitIsReachedWhenFewerAreLeft() {
    assertThat(errnoOfPosting(100)).isNull();
    bed.srq().modify(new SrqAttr(0, 0, 50), EnumSet.of(SrqAttrMask.LIMIT));

    sendMany(50);
    assertThat(limitEvent()).isEmpty();
    sendMany(1);

    assertThat(limitEvent()).contains(AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, bed.srq()));
    assertThat(bed.receives()).hasSize(51).allMatch(outcome -> outcome.endsWith(" RECV 8"));
  }

  @Test
  @Tag("PYV-srq-SrqTestCase.modify_srq_limit")
  void theLimitIsShownUntilItIsReached() {
    assertThat(errnoOfPosting(10)).isNull();
    bed.srq().modify(new SrqAttr(0, 0, 7), EnumSet.of(SrqAttrMask.LIMIT));
    assertThat(bed.srq().query().srqLimit()).isEqualTo(7);

    sendMany(3);
    assertThat(limitEvent()).isEmpty();
    sendMany(1);

    assertThat(limitEvent()).contains(AsyncEvent.of(EventType.SRQ_LIMIT_REACHED, bed.srq()));
    assertThat(bed.srq().query().srqLimit()).isZero();
  }

  @Test
  @Tag("GUT-srq_test-SrqTest.SendRnr")
  void aSendFailsWhenTheQueueStaysEmpty() {
    byte[] before = Bytes.in(bed.host().target(), 0, SrqPair.PAGE);
    bed.limitRnrRetries(1);

    bed.link().near().postSend(bed.send(1, 8));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 RNR_RETRY_EXC_ERR");
    assertThat(Bytes.in(bed.host().target(), 0, SrqPair.PAGE)).isEqualTo(before);
  }

  @Test
  @Tag("GUT-pd_test-PdSrqTest.SrqRecvMrSrqMatch")
  void receivesAreOfTheDomainOfTheSharedQueue() {
    ProtectionDomain domain = bed.host().context().allocPd();
    MemoryRegion source = TestEndpoint.registerIn(domain, SrqPair.PAGE, ConnectedPair.ALL_RIGHTS);
    SuiteHost.HostLink link = bed.link(domain);
    bed.receive(0);

    link.near().postSend(SendWr.send(1, source.sge()));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 4096");
  }

  @Test
  @Tag("GUT-pd_test-PdSrqTest.QpSrqPdMismatchWriteWithImm")
  void aWriteWithImmediateIsOfTheDomainOfTheQueuePair() {
    ProtectionDomain domain = bed.host().context().allocPd();
    MemoryRegion memory = TestEndpoint.registerIn(domain, SrqPair.PAGE, ConnectedPair.ALL_RIGHTS);
    SuiteHost.HostLink link = bed.link(domain);
    bed.receive(0);

    link.near().postSend(SendWr.rdmaWriteWithImm(1, memory.addr(), memory.rkey(), 0, memory.sge()));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 RDMA_WRITE");
    assertThat(bed.receives()).hasSize(1).allMatch(outcome -> outcome.startsWith("0 RECV_RDMA"));
  }

  @Test
  @Tag("IVT-basic-srq_test.t1")
  void aReadNeedsNoReceive() {
    bed.link().near().postSend(bed.host().read(1, 0, 128));
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("1 RDMA_READ 128");
    assertThat(bed.receives()).isEmpty();
  }

  @Test
  @Tag("IVT-basic-srq_test.t0")
  void connectionsAndDatagramsShareAQueue() {
    DatagramToSrq datagrams = new DatagramToSrq(bed);
    bed.receive(0);
    bed.receive(1);

    bed.link().near().postSend(bed.send(2, 128));
    bed.host().drain();
    datagrams.send(3, 128);
    bed.host().drain();

    assertThat(bed.sends()).containsExactly("2 SEND", "3 SEND");
    assertThat(bed.receives()).containsExactly("0 RECV 128", "1 RECV 168 [GRH]");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.tests.conformance.Bytes;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.TestEndpoint;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.DeviceLimit;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Completion queues that are polled in batches, and resized. */
@ParameterizedClass
@EnumSource(LinkForm.class)
final class ExtendedCqCasesTest {
  private static final int GRH = 40;
  private static final int MESSAGE = 100;

  @AutoClose private final SuiteHost host;
  private final int maxCqe;

  ExtendedCqCasesTest(LinkForm form) {
    host = new SuiteHost(form.fabric());
    maxCqe = (int) host.context().queryDevice().limit(DeviceLimit.MAX_CQE);
  }

  private static Errno errnoOf(ThrowingCallable call) {
    VerbsException refusal = catchThrowableOfType(VerbsException.class, call);
    return refusal == null ? null : refusal.errno();
  }

  private ExtendedCompletionQueue create(CqInitAttrEx attr) {
    return host.context().createCqEx(attr);
  }

  private ExtendedCompletionQueue timed() {
    return create(
        CqInitAttrEx.of(maxCqe)
            .withWcFlags(
                CreateCqWcFlag.WITH_QP_NUM,
                CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP,
                CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK));
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.Basic")
  void aQueueCanBeMade() {
    ExtendedCompletionQueue cq = create(CqInitAttrEx.of(10));

    assertThat(cq.cqe()).isGreaterThanOrEqualTo(10);
    cq.close();
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.ZeroCqe")
  void aQueueForNothingIsRefused() {
    assertThat(errnoOf(() -> create(CqInitAttrEx.of(0)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.MaxCqe")
  void theLargestQueueCanBeHadAndNoLarger() {
    create(CqInitAttrEx.of(maxCqe)).close();

    assertThat(errnoOf(() -> create(CqInitAttrEx.of(maxCqe + 1)))).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExTest.WithChannel")
  void aQueueUsesItsChannel() {
    ExtendedCompletionQueue cq = create(CqInitAttrEx.of(10).withChannel(host.channel()));
    assertThat(errnoOf(host.channel()::close)).isEqualTo(Errno.EBUSY);

    cq.close();

    host.channel().close();
  }

  @Test
  @Tag("PYV-cqex-CQEXAPITest.create_cq_ex")
  void everyFieldAndEveryPropertyIsOfferedOrRefusedAsNotOffered() {
    for (CreateCqWcFlag field : CreateCqWcFlag.values()) {
      assertThat(errnoOf(() -> create(CqInitAttrEx.of(10).withWcFlags(field)).close()))
          .as("%s", field)
          .isIn(null, Errno.EOPNOTSUPP);
    }
    for (CreateCqAttrFlag property : CreateCqAttrFlag.values()) {
      assertThat(errnoOf(() -> create(CqInitAttrEx.of(10).withFlags(property)).close()))
          .as("%s", property)
          .isIn(null, Errno.EOPNOTSUPP);
    }
  }

  /** The only completion. */
  private static void assertOne(ExtendedCompletionQueue cq, QueuePair qp) {
    try (PollBatch batch = cq.startPoll()) {
      assertThat(batch.nextPoll()).isTrue();
      assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(batch.wrId()).isEqualTo(7);
      assertThat(batch.readQpNum()).isEqualTo(qp.qpNum());
      assertThat(batch.readCompletionTs()).isPositive();
      assertThat(batch.readCompletionWallclockNs()).isPositive();
      assertThat(batch.nextPoll()).isFalse();
    }
    assertThat(cq.startPoll().nextPoll()).isFalse();
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExOpTest.BasicPollSendCq")
  void aWriteIsPolledWithItsTime() {
    ExtendedCompletionQueue cq = timed();
    SuiteHost.HostLink link = host.link(cq, host.createCq(1));
    assertThat(cq.startPoll().nextPoll()).isFalse();

    link.near().postSend(host.write(7, 0, 1));
    host.drain();

    assertOne(cq, link.near());
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExOpTest.BasicPollRecvCq")
  void aReceiveIsPolledWithItsTime() {
    ExtendedCompletionQueue cq = timed();
    SuiteHost.HostLink link = host.link(host.createCq(1), cq);
    assertThat(cq.startPoll().nextPoll()).isFalse();

    link.far().postRecv(RecvWr.of(7, host.target().sge(0, 1)));
    link.near().postSend(SendWr.send(1, host.source().sge(0, 1)));
    host.drain();

    assertOne(cq, link.far());
  }

  @Test
  @Tag("GUT-cq_ex_test-CqExOpTest.BatchPollSendCq")
  void sixtyWritesArePolledInOneBatch() {
    ExtendedCompletionQueue cq = timed();
    CompletionQueue far = host.createCq(1);
    Map<Integer, Long> nextWrId = new TreeMap<>();
    for (int i = 0; i < 20; i++) {
      QueuePair qp = host.link(cq, far).near();
      nextWrId.put(qp.qpNum(), 0L);
      for (int wrId = 0; wrId < 3; wrId++) {
        qp.postSend(host.write(wrId, i, 1));
      }
    }
    host.drain();

    long lastTs = 0;
    long lastWallclock = 0;
    try (PollBatch batch = cq.startPoll()) {
      while (batch.nextPoll()) {
        assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(batch.wrId()).isEqualTo(nextWrId.get(batch.readQpNum()));
        nextWrId.merge(batch.readQpNum(), 1L, Long::sum);
        assertThat(batch.readCompletionTs()).isGreaterThanOrEqualTo(lastTs);
        assertThat(batch.readCompletionWallclockNs()).isGreaterThanOrEqualTo(lastWallclock);
        lastTs = batch.readCompletionTs();
        lastWallclock = batch.readCompletionWallclockNs();
      }
    }

    assertThat(nextWrId.values()).hasSize(20).containsOnly(3L);
  }

  private static void assertTaken(ExtendedCompletionQueue cq, WcOpcode opcode, int bytes) {
    try (PollBatch batch = cq.startPoll()) {
      assertThat(batch.nextPoll()).isTrue();
      assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(batch.readOpcode()).isEqualTo(opcode);
      if (opcode == WcOpcode.RECV) {
        assertThat(batch.readByteLen()).isEqualTo(bytes);
      }
    }
    assertThat(cq.startPoll().nextPoll()).isFalse();
  }

  @Test
  @Tag("PYV-cqex-CqExTestCase.rc_traffic")
  @Tag("test_cqex.CqExTestCase.test_rc_traffic_cq_ex")
  void aHundredMessagesGoBackAndForth() {
    ExtendedCompletionQueue near = create(CqInitAttrEx.of(2000));
    ExtendedCompletionQueue far = create(CqInitAttrEx.of(2000));
    SuiteHost.HostLink link = host.link(near, far);
    for (int i = 0; i < 100; i++) {
      exchange(link.near(), link.far(), i);
      assertTaken(far, WcOpcode.RECV, MESSAGE);
      assertTaken(near, WcOpcode.SEND, MESSAGE);
      exchange(link.far(), link.near(), i + 1);
      assertTaken(near, WcOpcode.RECV, MESSAGE);
      assertTaken(far, WcOpcode.SEND, MESSAGE);
    }
  }

  private void exchange(QueuePair from, QueuePair to, int seed) {
    Bytes.into(host.source(), 0, Bytes.pattern(MESSAGE, seed));
    to.postRecv(RecvWr.of(seed, host.target().sge(0, MESSAGE)));
    from.postSend(SendWr.send(seed, host.source().sge(0, MESSAGE)));
    host.drain();
    assertThat(Bytes.in(host.target(), 0, MESSAGE)).isEqualTo(Bytes.pattern(MESSAGE, seed));
  }

  /** What has completed, in words; found by event if the queue is armed. */
  private List<String> completed(ExtendedCompletionQueue cq, boolean byEvent) {
    if (byEvent) {
      assertThat(host.channel().getCqEvent()).isSameAs(cq);
      cq.ackEvents(1);
    }
    host.drain();
    List<String> completed = new ArrayList<>();
    try (PollBatch batch = cq.startPoll()) {
      while (batch.nextPoll()) {
        assertThat(batch.status()).isEqualTo(WcStatus.SUCCESS);
        completed.add(batch.wrId() + " " + batch.readOpcode());
      }
    }
    return completed;
  }

  private ExtendedCompletionQueue onChannel() {
    return create(CqInitAttrEx.of(4096).withChannel(host.channel()));
  }

  private static void armIf(boolean byEvent, CompletionQueue cq) {
    if (byEvent) {
      cq.reqNotify(false);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Tag("IVT-basic-rdma_test.t0")
  void aWriteIsPolledOrAnnounced(boolean byEvent) {
    ExtendedCompletionQueue cq = onChannel();
    SuiteHost.HostLink link = host.link(cq, cq);
    Bytes.into(host.source(), 0, Bytes.pattern(128, 1));
    armIf(byEvent, cq);

    link.near().postSend(host.write(1, 0, 128));

    assertThat(completed(cq, byEvent)).containsExactly("1 RDMA_WRITE");
    assertThat(Bytes.in(host.target(), 0, 128)).isEqualTo(Bytes.pattern(128, 1));
  }

  @ParameterizedTest
  @CsvSource({"RC, false", "RC, true", "UD, false", "UD, true"})
  @Tag("IVT-basic-base_test.t1")
  void sendsFillReceivesInOrder(QpType type, boolean byEvent) {
    ExtendedCompletionQueue cq = onChannel();
    boolean isUd = type == QpType.UD;
    SuiteHost.HostLink link =
        isUd ? new SuiteHost.HostLink(datagrams(cq), datagrams(cq)) : host.link(cq, cq);
    int header = isUd ? GRH : 0;
    link.far().postRecv(RecvWr.of(10, host.target().sge(0, header + 64)));
    link.far().postRecv(RecvWr.of(11, host.target().sge(256, header + 64)));
    AddressHandle ah = ownAddress();

    for (int i = 0; i < 2; i++) {
      Bytes.into(host.source(), 0, Bytes.pattern(64, i));
      armIf(byEvent, cq);
      SendWr send = SendWr.send(i, host.source().sge(0, 64));
      link.near().postSend(isUd ? send.to(ah, link.far().qpNum(), TestEndpoint.QKEY) : send);

      assertThat(completed(cq, byEvent)).containsExactlyInAnyOrder(i + " SEND", (10 + i) + " RECV");
      assertThat(Bytes.in(host.target(), 256 * i + header, 64)).isEqualTo(Bytes.pattern(64, i));
    }
  }

  private QueuePair datagrams(CompletionQueue cq) {
    QueuePair qp = host.pd().createQp(QpInitAttr.of(QpType.UD, cq, QpCap.of(64)));
    qp.modify(QpAttr.to(QpState.INIT).pkeyIndex(0).portNum(1).qkey(TestEndpoint.QKEY));
    qp.modify(QpAttr.to(QpState.RTR));
    qp.modify(QpAttr.to(QpState.RTS).sqPsn(0));
    return qp;
  }

  private AddressHandle ownAddress() {
    return host.pd().createAh(AhAttr.to(host.context().queryGid(1, 0)));
  }

  @Test
  @Tag("PYV-cqex-CqExTestCase.ud_traffic")
  @Tag("test_cqex.CqExTestCase.test_ud_traffic_cq_ex")
  void aHundredDatagramsArrive() {
    ExtendedCompletionQueue near = create(CqInitAttrEx.of(2000));
    ExtendedCompletionQueue far = create(CqInitAttrEx.of(2000));
    QueuePair from = datagrams(near);
    QueuePair to = datagrams(far);
    AddressHandle ah = ownAddress();
    for (int i = 0; i < 100; i++) {
      Bytes.into(host.source(), 0, Bytes.pattern(MESSAGE, i));
      to.postRecv(RecvWr.of(i, host.target().sge(0, GRH + MESSAGE)));
      SendWr send = SendWr.send(i, host.source().sge(0, MESSAGE));
      from.postSend(send.to(ah, to.qpNum(), TestEndpoint.QKEY));
      host.drain();

      assertTaken(far, WcOpcode.RECV, GRH + MESSAGE);
      assertTaken(near, WcOpcode.SEND, MESSAGE);
      assertThat(Bytes.in(host.target(), GRH, MESSAGE)).isEqualTo(Bytes.pattern(MESSAGE, i));
    }
  }

  @Test
  @Tag("PYV-cq-CQTest.resize_cq")
  void aQueueIsResizedButNeverBelowWhatItHolds() {
    CompletionQueue cq = host.createCq(3);
    QueuePair qp = datagrams(cq);
    cq.resize(1);
    assertThat(cq.cqe()).isGreaterThanOrEqualTo(1);
    cq.resize(7);
    assertThat(cq.cqe()).isGreaterThanOrEqualTo(7);
    AddressHandle ah = ownAddress();
    for (int i = 0; i < 6; i++) {
      SendWr send = SendWr.send(i, host.source().sge(0, MESSAGE));
      qp.postSend(send.to(ah, qp.qpNum(), TestEndpoint.QKEY));
    }
    host.drain();

    assertThat(errnoOf(() -> cq.resize(1))).isEqualTo(Errno.EINVAL);

    assertThat(cq.poll(10)).hasSize(6).allMatch(wc -> wc.status() == WcStatus.SUCCESS);
  }
}

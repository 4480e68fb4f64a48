// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The attributes that queue pairs of ids get, as {@code cm_init_qp_attr} of Linux sets them. */
final class QpAttributesTest {
  private static final Set<AccessFlag> READS_TOO =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** Both ends of a connection that one asks for and the other grants. */
  private RdmaCmId[] connected(RdmaConnParam asked, RdmaConnParam granted) {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(asked);
    RdmaCmId passive = hosts.request();
    passive.accept(granted);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    return new RdmaCmId[] {active, passive};
  }

  private static void expectReads(QpAttr attr, int outstanding, int answered) {
    assertThat(attr.maxRdAtomic()).as("outstanding").isEqualTo(outstanding);
    assertThat(attr.maxDestRdAtomic()).as("answered").isEqualTo(answered);
  }

  /** What one side starts, the other answers; the retries of the REQ and those of the REP. */
  @Test
  void theActiveSideTakesWhatTheReplyGrants() {
    RdmaCmId[] ends =
        connected(
            RdmaConnParam.of(2, 3).withRetries(5, 4), RdmaConnParam.of(1, 2).withRetries(3, 6));

    QpAttr active = ends[0].qp().query();
    expectReads(active, 1, 2);
    assertThat(active.retryCnt()).isEqualTo(5);
    assertThat(active.rnrRetry()).isEqualTo(6);
    QpAttr passive = ends[1].qp().query();
    expectReads(passive, 2, 1);
    assertThat(passive.retryCnt()).isEqualTo(5);
    assertThat(passive.rnrRetry()).isEqualTo(4);
  }

  @Test
  void moreReadsThanAreGrantedAtOnceAllSucceed() {
    RdmaCmId[] ends = connected(RdmaConnParam.of(2, 3), RdmaConnParam.of(1, 2));
    MemoryRegion source = ends[1].regRead(ByteBuffer.allocateDirect(8).putLong(0, 42));
    ByteBuffer own = ByteBuffer.allocateDirect(24);
    MemoryRegion local = ends[0].regMsgs(own);

    for (int i = 0; i < 3; i++) {
      Sge piece = new Sge(local.addr() + 8L * i, 8, local.lkey());
      ends[0].postRead(i, piece, source.addr(), source.rkey());
    }

    for (int i = 0; i < 3; i++) {
      WorkCompletion read = ends[0].getSendComp();
      assertThat(read.status()).as(read.explain()).isEqualTo(WcStatus.SUCCESS);
      assertThat(own.getLong(8 * i)).isEqualTo(42);
    }
  }

  /** {@code rdma_accept} takes the smaller of what the request and the device have. */
  @Test
  void acceptingAsManyAsPossibleTakesThoseOfTheRequest() {
    int max = RdmaConnParam.MAX;
    RdmaCmId[] ends = connected(RdmaConnParam.of(2, 3), RdmaConnParam.of(max, max));

    expectReads(ends[0].qp().query(), 3, 2);
    expectReads(ends[1].qp().query(), 2, 3);
  }

  /** Without parameters, librdmacm puts 7 into the REP, which the active side takes. */
  @Test
  void acceptingWithoutParametersRetriesForEver() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(2, 3).withRetries(5, 4));
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    expectReads(active.qp().query(), 3, 2);
    assertThat(active.qp().query().rnrRetry()).isEqualTo(7);
    assertThat(passive.qp().query().rnrRetry()).isEqualTo(4);
  }

  @Test
  void reliableQueuePairsGetTheirAttributes() {
    for (RdmaCmId end : connected(RdmaConnParam.of(2, 2), RdmaConnParam.of(2, 2))) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpAccessFlags()).isEqualTo(READS_TOO);
      assertThat(attr.pkeyIndex()).isZero();
      assertThat(attr.minRnrTimer()).as("code of 655.36 ms").isZero();
      assertThat(attr.timeout()).isEqualTo(17);
      assertThat(attr.retryCnt()).isEqualTo(7);
      assertThat(attr.rnrRetry()).isEqualTo(7);
      expectReads(attr, 2, 2);
    }
  }

  @Test
  void aSideThatAnswersNoReadsGrantsOnlyWrites() {
    for (RdmaCmId end : connected(RdmaConnParam.of(0, 0), RdmaConnParam.of(0, 0))) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpAccessFlags()).containsExactly(AccessFlag.REMOTE_WRITE);
      expectReads(attr, 0, 0);
    }
  }

  /** INIT is the same as for RC; RTR and RTS have nothing of reads and retries. */
  @Test
  void unreliableQueuePairsGetTheirAttributes() {
    RdmaCmId listener = hosts.b.createEp(unreliable(RdmaAddrinfoFlag.PASSIVE), null, null);
    listener.migrate(hosts.channelB);
    listener.listen(1);
    RdmaCmId active = hosts.a.createEp(unreliable(), null, RdmaHosts.attr(QpType.UC));
    active.migrate(hosts.channelA);
    active.connect(RdmaConnParam.of(2, 2));
    RdmaCmId passive = hosts.request();
    passive.accept(RdmaConnParam.of(2, 2));
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    for (RdmaCmId end : new RdmaCmId[] {active, passive}) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpAccessFlags()).isEqualTo(READS_TOO);
      assertThat(attr.pkeyIndex()).isZero();
      assertThat(attr.timeout()).isZero();
      assertThat(attr.retryCnt()).isZero();
      expectReads(attr, 0, 0);
    }
    assertThat(active.qp().query().sqPsn()).isEqualTo(passive.qp().query().rqPsn());
    assertThat(passive.qp().query().sqPsn()).isEqualTo(active.qp().query().rqPsn());
  }

  private RdmaAddrinfo unreliable(RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags).withQpType(QpType.UC);
    return hosts.a.getaddrinfo(hosts.addressB, "7471", hints).get(0);
  }

  @Test
  void queuePairsOfDatagramsAreReadyAtOnce() {
    RdmaCmId id = hosts.routed(RdmaPortSpace.UDP);
    id.createQp(null, RdmaHosts.attr(QpType.UD));

    QpAttr attr = id.qp().query();

    assertThat(attr.qpState()).isEqualTo(QpState.RTS);
    assertThat(attr.qkey()).isEqualTo(0x01234567);
    assertThat(attr.sqPsn()).isZero();
    assertThat(attr.pkeyIndex()).isZero();
  }

  /** The event of the active side says the same as its queue pair. */
  @Test
  void theEventHasWhatTheReplyGrants() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(2, 3));
    hosts.request().accept(RdmaConnParam.of(1, 2));

    RdmaCmEvent established = RdmaHosts.next(hosts.channelA);

    assertThat(established.conn().responderResources()).isEqualTo(2);
    assertThat(established.conn().initiatorDepth()).isEqualTo(1);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_RESOLVED;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.verbs.Errno.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPath;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The attributes that queue pairs of ids get, as {@code cm_init_qp_attr} of Linux sets them, and
 * what {@code rdma_set_option} changes in them.
 */
final class QpAttributesTest {
  private static final Set<AccessFlag> READS_TOO =
      EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);

  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  private static void expectReads(QpAttr attr, int outstanding, int answered) {
    assertThat(attr.maxRdAtomic()).as("outstanding").isEqualTo(outstanding);
    assertThat(attr.maxDestRdAtomic()).as("answered").isEqualTo(answered);
  }

  private static void expectRetries(QpAttr attr, int retries, int rnrRetries) {
    assertThat(attr.retryCnt()).isEqualTo(retries);
    assertThat(attr.rnrRetry()).isEqualTo(rnrRetries);
  }

  /** Reads that one side starts, and the other answers; retries of the REQ and of the REP. */
  @Test
  void theActiveSideTakesWhatTheReplyGrants() {
    RdmaCmId[] ends =
        hosts.connected(
            RdmaConnParam.of(2, 3).withRetries(5, 4), RdmaConnParam.of(1, 2).withRetries(3, 6));

    expectReads(ends[0].qp().query(), 1, 2);
    expectRetries(ends[0].qp().query(), 5, 6);
    expectReads(ends[1].qp().query(), 2, 1);
    expectRetries(ends[1].qp().query(), 5, 4);
  }

  /** The event of the active side says the same as its queue pair. */
  @Test
  void theEventHasWhatTheReplyGrants() {
    hosts.listener(TCP, 1);
    hosts.active().connect(RdmaConnParam.of(2, 3));
    hosts.request().accept(RdmaConnParam.of(1, 2));

    RdmaConnParam granted = hosts.atA(ESTABLISHED).conn();
    assertThat(granted.responderResources()).isEqualTo(2);
    assertThat(granted.initiatorDepth()).isEqualTo(1);
  }

  @Test
  void moreReadsThanAreGrantedAtOnceAllSucceed() {
    RdmaCmId[] ends = hosts.connected(RdmaConnParam.of(2, 3), RdmaConnParam.of(1, 2));
    MemoryRegion source = ends[1].regRead(ByteBuffer.allocateDirect(8).putLong(0, 42));
    ByteBuffer own = ByteBuffer.allocateDirect(24);
    MemoryRegion local = ends[0].regMsgs(own);

    for (int i = 0; i < 3; i++) {
      ends[0].postRead(i, local.sge(8 * i, 8), source.addr(), source.rkey());
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
    RdmaCmId[] ends = hosts.connected(RdmaConnParam.of(2, 3), RdmaConnParam.of(max, max));

    expectReads(ends[0].qp().query(), 3, 2);
    expectReads(ends[1].qp().query(), 2, 3);
  }

  /** Without parameters, librdmacm puts 7 into the REP, which the active side takes. */
  @Test
  void acceptingWithoutParametersRetriesForEver() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(2, 3).withRetries(5, 4));
    RdmaCmId passive = hosts.request();
    passive.accept();
    hosts.atA(ESTABLISHED, active);

    expectReads(active.qp().query(), 3, 2);
    expectRetries(active.qp().query(), 5, 7);
    expectRetries(passive.qp().query(), 5, 4);
  }

  @Test
  void reliableQueuePairsGetTheirAttributes() {
    for (RdmaCmId end : hosts.connected(RdmaConnParam.of(2, 2), RdmaConnParam.of(2, 2))) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpAccessFlags()).isEqualTo(READS_TOO);
      assertThat(attr.pkeyIndex()).isZero();
      assertThat(attr.minRnrTimer()).as("code of 655.36 ms").isZero();
      assertThat(attr.timeout()).as("packet lifetime 16 and ACK delay 15").isEqualTo(17);
      expectRetries(attr, 7, 7);
      expectReads(attr, 2, 2);
    }
  }

  @Test
  void aSideThatAnswersNoReadsGrantsOnlyWrites() {
    for (RdmaCmId end : hosts.connected(NOTHING, NOTHING)) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpAccessFlags()).containsExactly(AccessFlag.REMOTE_WRITE);
      expectReads(attr, 0, 0);
    }
  }

  /** INIT is the same as for RC; RTR and RTS have nothing of reads and retries. */
  @Test
  void unreliableQueuePairsGetTheirAttributes() {
    hosts.listener(QpType.UC);
    RdmaConnParam two = RdmaConnParam.of(2, 2);
    RdmaCmId[] ends = hosts.connected(hosts.active(QpType.UC), two, two);

    for (RdmaCmId end : ends) {
      QpAttr attr = end.qp().query();
      assertThat(attr.qpState()).isEqualTo(QpState.RTS);
      assertThat(attr.qpAccessFlags()).isEqualTo(READS_TOO);
      assertThat(attr.timeout()).isZero();
      expectRetries(attr, 0, 0);
      expectReads(attr, 0, 0);
    }
    assertThat(ends[0].qp().query().sqPsn()).isEqualTo(ends[1].qp().query().rqPsn());
    assertThat(ends[1].qp().query().sqPsn()).isEqualTo(ends[0].qp().query().rqPsn());
  }

  @Test
  void queuePairsOfDatagramsAreReadyAtOnce() {
    QpAttr attr = RdmaHosts.withQp(hosts.routed(UDP)).qp().query();

    assertThat(attr.qpState()).isEqualTo(QpState.RTS);
    assertThat(attr.qkey()).isEqualTo(0x01234567);
    assertThat(attr.sqPsn()).isZero();
  }

  /** Connects an id with an option set before its address is resolved; returns both ends. */
  private RdmaCmId[] connected(RdmaOption option) {
    hosts.listener(TCP, 1);
    RdmaCmId id = hosts.channelA.createId(TCP);
    id.setOption(option);
    return hosts.connected(
        RdmaHosts.withQp(RdmaHosts.routed(hosts.channelA, id, hosts.toB())), NOTHING, NOTHING);
  }

  @Test
  void tosIsTheTrafficClassOfBothSides() {
    RdmaCmId[] ends = connected(new RdmaOption.Tos(0x68));

    assertThat(ends[0].route().orElseThrow().trafficClass()).isEqualTo(0x68);
    assertThat(ends).allMatch(end -> end.qp().query().ahAttr().grh().trafficClass() == 0x68);
  }

  /** The kernel refuses it in no state; what was resolved before stays. */
  @Test
  void tosAfterTheRouteIsOfNoEffect() {
    hosts.listener(TCP, 1);
    RdmaCmId active = hosts.active();
    active.setOption(new RdmaOption.Tos(0x68));

    hosts.connected(active, NOTHING, NOTHING);

    assertThat(active.route().orElseThrow().trafficClass()).isZero();
    assertThat(active.qp().query().ahAttr().grh().trafficClass()).isZero();
  }

  @Test
  void theAckTimeoutIsThatOfBothQueuePairs() {
    assertThat(connected(new RdmaOption.AckTimeout(9)))
        .allMatch(end -> end.qp().query().timeout() == 9);
  }

  /** As {@code rdma_set_ack_timeout} of the kernel, which looks at no state. */
  @Test
  void aServerSetsItsAckTimeoutBeforeItAccepts() {
    hosts.connecting();
    RdmaCmId passive = hosts.request();

    passive.setOption(new RdmaOption.AckTimeout(9));
    passive.accept();

    assertThat(passive.qp().query().timeout()).isEqualTo(9);
  }

  /** Only these have requesters that wait for an ACK, as {@code rdma_set_ack_timeout} checks. */
  @ParameterizedTest
  @CsvSource({"RC, true", "XRC_SEND, true", "UC, false", "XRC_RECV, false"})
  void reliableTypesHaveAnAckTimeout(QpType type, boolean isReliable) {
    RdmaOption timeout = new RdmaOption.AckTimeout(9);
    try (RdmaCmId id = hosts.listener(type)) {
      if (isReliable) {
        assertThatCode(() -> id.setOption(timeout)).doesNotThrowAnyException();
      } else {
        assertRefused(EINVAL, () -> id.setOption(timeout));
      }
    }
  }

  /** Connects over a path of the program's own in the place of the route. */
  private RdmaCmId[] connectedOver(UnaryOperator<RdmaPath> change) {
    hosts.listener(TCP, 1);
    RdmaPath found = hosts.routed(TCP).route().orElseThrow();
    RdmaCmId active = hosts.channelA.createId(TCP);
    active.resolveAddr(null, hosts.toB(), SOON);
    hosts.atA(ADDR_RESOLVED, active);
    active.setOption(new RdmaOption.IbPath(change.apply(found)));
    return hosts.connected(RdmaHosts.withQp(active), NOTHING, NOTHING);
  }

  /**
   * A REQ with hop limit 0 or 1 is from the own subnet, and 0 in an address vector would be the
   * default of the device.
   */
  @ParameterizedTest
  @CsvSource({"0, 1", "1, 1", "2, 2", "255, 255"})
  void theHopLimitOfThePathIsThatOfTheWayBack(int asked, int expected) {
    RdmaCmId passive =
        connectedOver(
            path ->
                new RdmaPath(
                    path.sgid(),
                    path.dgid(),
                    path.mtu(),
                    path.pkey(),
                    path.flowLabel(),
                    path.trafficClass(),
                    asked,
                    path.packetLifeTime()))[1];

    assertThat(passive.route().orElseThrow().hopLimit()).isEqualTo(expected);
    assertThat(passive.qp().query().ahAttr().grh().hopLimit()).isEqualTo(expected);
  }

  @Test
  void aPathOfTheProgramStandsForTheRoute() {
    assertThat(connectedOver(path -> path.withMtu(Mtu.MTU_512)))
        .allMatch(end -> end.qp().query().pathMtu() == Mtu.MTU_512);
  }

  /** The wildcard of IPv6 takes both families unless it is for one, also if it is bound already. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anIdThatIsForOneFamilyTakesNoOther(boolean isSetBefore) {
    RdmaOption onlyOne = new RdmaOption.AddressFamilyOnly(true);
    RdmaCmId id = hosts.channelB.createId(TCP);
    if (isSetBefore) {
      id.setOption(onlyOne);
    }
    id.bindAddr(address("::", RdmaHosts.PORT));
    if (!isSetBefore) {
      id.setOption(onlyOne);
    }
    id.listen(1);

    hosts.active().connect(NOTHING);

    hosts.atA(REJECTED, 8);
    hosts.listener(TCP, 1); // Both listen at one port, each for its family.
  }

  @Test
  void aWildcardOfIpv6TakesBothFamilies() {
    RdmaCmId all =
        RdmaHosts.listening(hosts.channelB.createId(TCP), address("::", RdmaHosts.PORT), 1);

    hosts.active().connect(NOTHING);

    assertThat(hosts.atB(CONNECT_REQUEST).listenId()).isSameAs(all);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages are lost, hosts are silent or die: events, and the times of Linux. */
final class FailureTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private void inject(String plan) {
    hosts.emulator.injectFaults(FaultPlan.parse(plan));
  }

  /** Milliseconds that an event takes to come to the first host. */
  private RdmaCmEvent after(long millis, RdmaCmEventType type) {
    long before = now();
    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);
    assertThat(event.event()).as(event.explain()).isEqualTo(type);
    assertThat(now() - before).isEqualTo(millis);
    return event;
  }

  /** The time of the network, which all clocks of devices show. */
  private long now() {
    return Duration.ofNanos(hosts.a.getDevices().get(0).queryRtValuesEx().rawClock()).toMillis();
  }

  @Test
  void aLostRequestIsSentAgainAfter4608Milliseconds() {
    inject("drop 1st REQ");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();

    active.connect();
    long before = now();
    RdmaCmId passive = hosts.request();

    assertThat(now() - before).isEqualTo(4608);
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
  }

  @Test
  void aLostReplyIsSentAgainAfter4096Milliseconds() {
    inject("drop 1st REP");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect();

    hosts.request().accept();

    after(4096, RdmaCmEventType.ESTABLISHED);
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.RTS);
  }

  @Test
  void aLostRtuIsSentAgainWhenTheReplyIs() {
    inject("drop 1st RTU");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect();
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    long before = now();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);

    assertThat(now() - before).isEqualTo(4096);
  }

  /** {@code rdma_disconnect} of cma.c ignores that neither DREQ nor DREP fits the state. */
  @Test
  void aSideThatWaitsForTheRtuOnlyFailsItsQueuePair() {
    inject("drop 1st RTU");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect();
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    passive.disconnect();

    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.ERR);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    passive.disconnect();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, active);
  }

  @Test
  void aRejectedSideMayDisconnect() {
    RdmaCmId active = hosts.active();
    active.connect();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.REJECTED, active);

    assertThatCode(active::disconnect).doesNotThrowAnyException();
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  /**
   * As a kernel was recorded: librdmacm fails the queue pair and reports -1, and the peer waits.
   */
  @Test
  void aSideThatHasFailedItsQueuePairCannotTakeTheReply() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    active.disconnect();
    RdmaCmId passive = hosts.request();
    passive.accept(RdmaConnParam.of(0, 0).withPrivateData(new byte[] {1, 2}));

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);

    assertThat(event.event()).isEqualTo(RdmaCmEventType.CONNECT_ERROR);
    assertThat(event.status()).isEqualTo(-1);
    assertThat(RdmaHosts.bytes(event.conn().privateData())).hasSize(196).startsWith(1, 2);
    assertThat(event.explain()).contains("could not be made ready");
    assertThat(hosts.channelB.getCmEvent(Duration.ofSeconds(4))).isEmpty();
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
    active.close();
    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelB);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(28);
  }

  @Test
  void dataThatComesBeforeTheRtuEstablishesTheConnection() {
    inject("drop RTU");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect();
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    passive.notify(EventType.COMM_EST);

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThatThrownBy(() -> passive.notify(EventType.COMM_EST))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EISCONN));
  }

  @Test
  void aSilentPeerIsUnreachableAfterSixteenRequests() {
    inject("drop REQ");
    RdmaCmId active = hosts.active();

    active.connect();

    RdmaCmEvent event = after(16 * 4608, RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.code());
    assertThat(event.explain())
        .startsWith("REQ was sent 16 times to 10.0.0.2 in 73.728 s, and no answer came back.")
        .contains("Of what was sent, 16 messages", "drop REQ");
  }

  @Test
  void aReplyThatNobodyConfirmsIsUnreachableAfterSixteenReplies() {
    inject("drop RTU");
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect();
    RdmaCmId passive = hosts.request();
    long before = now();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);

    RdmaCmEvent event = RdmaHosts.next(hosts.channelB);

    assertThat(event.event()).as(event.explain()).isEqualTo(RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.code());
    assertThat(now() - before).isEqualTo(16 * 4096);
  }

  @Test
  void aSilentDatagramServiceIsUnreachableAfterSixteenRequests() {
    inject("drop SIDR_REQ");
    RdmaCmId id = hosts.routed(RdmaPortSpace.UDP);

    id.connect(RdmaConnParam.of(0, 0));

    RdmaCmEvent event = after(16 * 4096, RdmaCmEventType.UNREACHABLE);
    assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.code());
  }

  @Test
  void aLostDreqOfTheActiveSideIsSentAgainAfter4608Milliseconds() {
    RdmaCmId[] ends = hosts.connected();
    inject("drop 1st DREQ");
    long before = now();

    ends[0].disconnect();

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
    assertThat(now() - before).isEqualTo(4608);
  }

  @Test
  void aLostDreqOfThePassiveSideIsSentAgainAfter4096Milliseconds() {
    RdmaCmId[] ends = hosts.connected();
    inject("drop 1st DREQ");

    ends[1].disconnect();

    after(4096, RdmaCmEventType.DISCONNECTED);
  }

  @Test
  void aLostDrepIsSentAgainWhenTheDreqIs() {
    RdmaCmId[] ends = hosts.connected();
    inject("drop 1st DREP");
    ends[0].disconnect();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);

    ends[1].disconnect();

    after(4608, RdmaCmEventType.DISCONNECTED);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.TIMEWAIT_EXIT, ends[1]);
  }

  @Test
  void anAddressThatNobodyHasIsAnErrorAfterTheTimeout() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);
    id.resolveAddr(null, new InetSocketAddress("10.0.0.9", 1), RdmaHosts.SOON);

    RdmaCmEvent event = after(2000, RdmaCmEventType.ADDR_ERROR);

    assertThat(event.status()).isEqualTo(-Errno.ETIMEDOUT.code());
    assertThat(event.explain()).contains("10.0.0.9", "2000 ms");
  }

  @Test
  void aPeerThatDiesLeavesNothing() {
    RdmaCmId[] ends = hosts.connected();
    inject("drop CM");

    ends[0].disconnect();

    after(16 * 4608, RdmaCmEventType.DISCONNECTED);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.TIMEWAIT_EXIT, ends[0]);
    ends[0].close();
    assertThat(hosts.a).hasToString("rdma_cm of [qp0]");
  }

  @Test
  void aFailedDeviceIsRemoved() {
    RdmaCmId[] ends = hosts.connected();

    hosts.deviceA.fail();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DEVICE_REMOVAL, ends[0]);
    ends[0].close();
  }

  /** A peer says how long its connections last after their end; the device counts what was cut. */
  @Test
  void theDeviceCountsConnectionsThatDidNotLastAsPeersSay() {
    hosts.listener(RdmaPortSpace.TCP, 8);
    for (int i = 0; i < 4_100; i++) {
      RdmaCmId active = hosts.routed(RdmaPortSpace.TCP);
      active.setOption(new RdmaOption.AckTimeout(31));
      active.connect(RdmaConnParam.of(0, 0).withQp(0x1000 + i, false));
      try (RdmaCmEvent event = hosts.channelB.getCmEvent()) {
        event.id().accept(RdmaConnParam.of(0, 0).withQp(0x100000 + i, false));
        RdmaHosts.expect(hosts.channelA, RdmaCmEventType.CONNECT_RESPONSE, active);
        active.establish();
        RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, event.id());
        active.disconnect();
        RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, event.id());
        event.id().disconnect();
        RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, active);
        event.id().close();
      }
      active.close();
    }

    assertThat(hosts.census()).startsWith("0 ids, 4096 ends").endsWith("4096 ends");
    assertThat(hosts.deviceA.displacedConnections()).isEqualTo(4);
    assertThat(hosts.deviceB.displacedConnections()).isEqualTo(4);
  }

  @Test
  void anAddressThatIsGoneIsTold() {
    hosts.deviceA.addAddress(1, "10.0.0.3");
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);
    id.bindAddr(new InetSocketAddress("10.0.0.3", 5));

    hosts.deviceA.removeAddress(1, "10.0.0.3");

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ADDR_CHANGE, id);
  }

  /** The backlog is of requests that the program has not taken: it need not have answered them. */
  @Test
  void requestsBeyondTheBacklogComeLater() {
    hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId first = hosts.active();
    RdmaCmId second = hosts.active();
    first.connect();
    second.connect();
    long before = now();
    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(1))).isEmpty();

    RdmaCmId one = hosts.request();
    assertThat(hosts.channelB.getCmEvent(Duration.ofSeconds(1))).isEmpty();
    RdmaCmId two = hosts.request();

    assertThat(one.peerAddr().getPort()).isEqualTo(first.srcPort());
    assertThat(two.peerAddr().getPort()).isEqualTo(second.srcPort());
    assertThat(now() - before).isEqualTo(4608);
  }

  @Test
  void aListenerThatIsClosedRejectsWhatNobodyHasTaken() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 1);
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(1))).isEmpty();

    listener.close();

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(28);
  }

  @Test
  void aStandstillReportSaysWhatTheEndsWaitFor() {
    hosts.connected();

    assertThatThrownBy(hosts.channelA::getCmEvent)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("waits for one side to disconnect");
  }

  @Test
  void aStandstillReportNamesListeners() {
    hosts.listener(RdmaPortSpace.TCP, 1);

    assertThatThrownBy(hosts.channelA::getCmEvent)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("EDEADLK")
        .hasMessageContaining("10.0.0.2 port 7471 (TCP) listens: waits for a request");
  }

  @Test
  void theNumberOfAQueuePairRestsUntilTheTimeWaitIsOver() {
    RdmaCmId[] ends = hosts.connected();
    int qpn = ends[0].qp().qpNum();
    ends[0].close();
    ends[1].close();

    for (int round = 0; round < 200; round++) {
      RdmaCmId id = hosts.active();
      assertThat(id.qp().qpNum()).isNotEqualTo(qpn);
      id.close();
    }
  }

  /** An id may get another queue pair: the numbers of both come back after the time-wait. */
  @Test
  void theNumbersOfTwoQueuePairsOfAnIdComeBack() {
    RdmaCmId[] ends = hosts.connected();
    Set<Integer> ofId = new TreeSet<>(Set.of(ends[0].qp().qpNum()));
    ends[0].destroyQp();
    ends[0].createQp(null, RdmaHosts.attr(QpType.RC));
    ofId.add(ends[0].qp().qpNum());
    ends[0].close();
    ends[1].close();
    hosts.emulator.run(Duration.ofSeconds(1));

    Set<Integer> later = new TreeSet<>();
    for (int round = 0; round < 200; round++) {
      RdmaCmId id = hosts.active();
      later.add(id.qp().qpNum());
      id.close();
    }

    assertThat(ofId).hasSize(2);
    assertThat(later).containsAll(ofId);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_CHANGE;
import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_ERROR;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_ERROR;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_RESPONSE;
import static io.queuepair.rdmacm.RdmaCmEventType.DISCONNECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.verbs.Errno.ETIMEDOUT;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaOption;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.EventType;
import io.queuepair.verbs.QpState;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Messages are lost, hosts are silent or die: what programs see, beside the scenarios of the CM.
 */
final class FailureTest {
  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  /**
   * As a kernel was recorded: librdmacm fails the queue pair and reports -1, and the peer waits.
   */
  @Test
  void aSideThatHasFailedItsQueuePairCannotTakeTheReply() {
    RdmaCmId active = hosts.connecting();
    active.disconnect();
    RdmaCmId passive = hosts.request();
    passive.accept(NOTHING.withPrivateData(new byte[] {1, 2}));

    RdmaCmEvent event = hosts.atA(CONNECT_ERROR, -1);

    assertThat(RdmaHosts.bytes(event.conn().privateData())).hasSize(196).startsWith(1, 2);
    assertThat(event.explain()).startsWith("The queue pair could not be made ready");
    assertThat(active.qp().query().qpState()).isEqualTo(QpState.ERR);
    assertThat(hosts.channelB.getCmEvent(Duration.ofSeconds(4))).isEmpty();
    assertThat(passive.qp().query().qpState()).isEqualTo(QpState.RTS);
    active.close();
    hosts.atB(REJECTED, 28);
  }

  /** {@code cma_ib_handler}: TIMEWAIT_EXIT comes to ids that were disconnected only. */
  @Test
  void aConnectionThatWasNeverThereHasNoTimeWaitToTellOf() {
    hosts.listener(TCP, 8);
    RdmaCmId active = hosts.routed(TCP);
    active.connect(NOTHING.withQp(0x50, false));
    RdmaCmId passive = hosts.request();
    passive.accept();
    hosts.atA(CONNECT_RESPONSE, active);

    active.reject(new byte[0]);

    hosts.atB(REJECTED, passive);
    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(10))).isEmpty();
    assertThat(hosts.channelB.getCmEvent(Duration.ofSeconds(10))).isEmpty();
  }

  /** {@code rdma_get_cm_event} passes over REJECTED and DISCONNECTED after a CONNECT_ERROR. */
  @Test
  void aConnectionThatEndsBeforeItsReplyIsTakenIsAnErrorOnce() {
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.request();
    passive.accept();
    assertThat(hosts.channelB.getCmEvent(Duration.ofMillis(1))).isEmpty();
    passive.close();
    assertThat(hosts.channelB.getCmEvent(Duration.ofMillis(1))).isEmpty();

    hosts.atA(CONNECT_ERROR, active);

    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(10))).isEmpty();
    active.close();
  }

  @Test
  void dataThatComesBeforeTheRtuEstablishesTheConnection() {
    hosts.inject("drop RTU");
    RdmaCmId active = hosts.connecting();
    RdmaCmId passive = hosts.request();
    passive.accept();
    hosts.atA(ESTABLISHED, active);

    passive.notify(EventType.COMM_EST);

    hosts.atB(ESTABLISHED, passive);
    assertRefused(Errno.EISCONN, () -> passive.notify(EventType.COMM_EST));
  }

  /** {@code rdma_disconnect} of librdmacm asks the kernel once the queue pair has failed. */
  @Test
  void aDisconnectThatCannotFailTheQueuePairIsNone() {
    RdmaCmId[] ends = hosts.connected();
    hosts.inject("fail ibv_modify_qp of 10.0.0.1 with ENOMEM");

    assertRefused(Errno.ENOMEM, ends[0]::disconnect);

    assertThat(hosts.channelB.getCmEvent(Duration.ofSeconds(1))).isEmpty();
  }

  @Test
  void aDisconnectThatTheProgramDoesNotAnswerEndsAllTheSame() {
    RdmaCmId[] ends = hosts.connected();
    ends[0].disconnect();
    hosts.atB(DISCONNECTED, ends[1]);

    assertThat(hosts.atA(DISCONNECTED).explain()).startsWith("DREQ was sent 16 times to 10.0.0.2");

    assertThat(ends[0].qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  void anAddressThatNobodyHasIsAnErrorAfterTheTimeout() {
    RdmaCmId id = hosts.channelA.createId(TCP);
    long before = hosts.now();
    id.resolveAddr(null, address("10.0.0.9", 1), SOON);

    RdmaCmEvent event = hosts.atA(ADDR_ERROR, -ETIMEDOUT.code());

    assertThat(hosts.now() - before).isEqualTo(2000);
    assertThat(event.explain()).contains("10.0.0.9", "2000 ms");
  }

  @Test
  void anAddressMayBeWaitedForAsLongAsItTakes() {
    RdmaCmId id = hosts.channelA.createId(TCP);

    id.resolveAddr(null, address("10.0.0.9", 1), Duration.ofSeconds(Long.MAX_VALUE));

    assertThat(hosts.channelA.getCmEvent(Duration.ofDays(1))).isEmpty();
  }

  @Test
  void aHostThatLosesItsNetworkForAWhileIsConnectedStill() {
    RdmaCmId[] ends = hosts.connected();
    hosts.deviceB.setPortUp(1, false);
    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(60))).isEmpty();
    hosts.deviceB.setPortUp(1, true);

    ends[0].disconnect();

    hosts.atB(DISCONNECTED, ends[1]);
  }

  /** A peer says how long its connections last after their end; the device counts what was cut. */
  @Test
  void theDeviceCountsConnectionsThatDidNotLastAsPeersSay() {
    hosts.listener(TCP, 8);

    for (int i = 0; i < 4_100; i++) {
      RdmaCmId active = hosts.routed(TCP);
      active.setOption(new RdmaOption.AckTimeout(31));
      active.connect(NOTHING.withQp(0x1000 + i, false));
      RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
      passive.accept(NOTHING.withQp(0x100000 + i, false));
      hosts.atA(CONNECT_RESPONSE, active);
      active.establish();
      hosts.atB(ESTABLISHED, passive);
      active.disconnect();
      hosts.atB(DISCONNECTED, passive);
      passive.disconnect();
      hosts.atA(DISCONNECTED, active);
      passive.close();
      active.close();
    }

    assertThat(hosts.census()).startsWith("0 ids, 4096 ends").endsWith("4096 ends");
    assertThat(hosts.deviceA.displacedConnections()).isEqualTo(4);
    assertThat(hosts.deviceB.displacedConnections()).isEqualTo(4);
  }

  @Test
  void anAddressThatIsGoneIsTold() {
    hosts.deviceA.addAddress(1, "10.0.0.3");
    RdmaCmId id = hosts.channelA.createId(TCP);
    id.bindAddr(address("10.0.0.3", 5));

    hosts.deviceA.removeAddress(1, "10.0.0.3");

    hosts.atA(ADDR_CHANGE, id);
  }

  @Test
  void aStandstillReportNamesEndsAndListeners() {
    hosts.connected();
    assertRefused(Errno.EDEADLK, "waits for one side to disconnect", hosts.channelA::getCmEvent);

    hosts.listener(TCP, 1);

    String listens = "10.0.0.2 port 7471 (TCP) listens: waits for a request";
    assertRefused(Errno.EDEADLK, listens, hosts.channelA::getCmEvent);
  }

  @Test
  void aStandstillReportLeavesOutWhatHasEnded() {
    hosts.connecting();
    hosts.request().reject();
    hosts.atA(REJECTED, 28);

    assertThat(((EmulatedHost) hosts.a).describeBlockedWork()).isEmpty();
  }

  private Set<Integer> numbersOf200QueuePairs() {
    Set<Integer> numbers = new TreeSet<>();
    for (int round = 0; round < 200; round++) {
      RdmaCmId id = hosts.active();
      numbers.add(id.qp().qpNum());
      id.close();
    }
    return numbers;
  }

  /** An id may get another queue pair: the numbers of both rest, and come back. */
  @Test
  void theNumbersOfTheQueuePairsOfAnIdComeBackAfterTheTimeWait() {
    RdmaCmId[] ends = hosts.connected();
    int first = ends[0].qp().qpNum();
    ends[0].destroyQp();
    int second = RdmaHosts.withQp(ends[0]).qp().qpNum();
    ends[0].close();
    ends[1].close();

    assertThat(numbersOf200QueuePairs()).doesNotContain(first);
    hosts.emulator.run(Duration.ofSeconds(1));
    assertThat(second).isNotEqualTo(first);
    assertThat(numbersOf200QueuePairs()).contains(first, second);
  }
}

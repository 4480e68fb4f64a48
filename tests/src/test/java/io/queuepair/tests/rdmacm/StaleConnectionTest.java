// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue pair that the peer takes for a connected one, and hosts that are gone. */
final class StaleConnectionTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  /** As after a restart of the host: the peer still knows the queue pair's number. */
  @Test
  void theRequestIsRejectedAndTheOldConnectionEnds() {
    hosts.listener(RdmaPortSpace.TCP, 4);
    RdmaCmId first = hosts.routed(RdmaPortSpace.TCP);
    first.connect(RdmaConnParam.of(0, 0).withQp(0x77, false));
    RdmaCmId passive = hosts.request();
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.CONNECT_RESPONSE, first);
    first.establish();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);

    RdmaCmId second = hosts.routed(RdmaPortSpace.TCP);
    second.connect(RdmaConnParam.of(0, 0).withQp(0x77, false));

    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.id()).isSameAs(second);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(10);
    assertThat(rejected.explain()).contains("an earlier connection that has not ended there");
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, first);
    first.disconnect();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, passive);
  }

  @Test
  void aHostThatLosesItsNetworkForAWhileIsConnectedStill() {
    RdmaCmId[] ends = hosts.connected();

    hosts.deviceB.setPortUp(1, false);
    assertThat(hosts.channelA.getCmEvent(Duration.ofSeconds(60))).isEmpty();
    hosts.deviceB.setPortUp(1, true);
    ends[0].disconnect();

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
  }

  @Test
  void aDisconnectThatTheProgramDoesNotAnswerEndsAllTheSame() {
    RdmaCmId[] ends = hosts.connected();
    ends[0].disconnect();
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);

    RdmaCmEvent event = RdmaHosts.next(hosts.channelA);

    assertThat(event.event()).isEqualTo(RdmaCmEventType.DISCONNECTED);
    assertThat(event.explain()).startsWith("DREQ was sent 16 times to 10.0.0.2");
    assertThat(ends[0].qp().query().qpState()).isEqualTo(QpState.ERR);
  }

  @Test
  void bothProgramsMayDisconnectAtOnce() {
    RdmaCmId[] ends = hosts.connected();

    ends[0].disconnect();
    ends[1].disconnect();

    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.DISCONNECTED, ends[0]);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, ends[1]);
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.TIMEWAIT_EXIT, ends[0]);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.TIMEWAIT_EXIT, ends[1]);
  }
}

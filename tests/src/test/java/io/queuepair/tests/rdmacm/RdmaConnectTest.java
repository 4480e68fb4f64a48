// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDR_RESOLVED;
import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.DISCONNECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.REJECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.TIMEWAIT_EXIT;
import static io.queuepair.rdmacm.RdmaCmEventType.USER;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.NOTHING;
import static io.queuepair.tests.rdmacm.RdmaHosts.SOON;
import static io.queuepair.verbs.Errno.EBUSY;
import static io.queuepair.verbs.Errno.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Connections and channels begin and end as in librdmacm. */
final class RdmaConnectTest {
  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  @Test
  void bothSidesGetTheParametersAsTheySeeThem() {
    RdmaCmId listener = hosts.listener(TCP, 1);
    listener.setContext("server");
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(2, 3));

    RdmaCmEvent request = hosts.atB(CONNECT_REQUEST);
    RdmaCmId passive = request.id();

    assertThat(request.listenId()).isSameAs(listener);
    assertThat(request.conn().responderResources()).isEqualTo(3);
    assertThat(request.conn().initiatorDepth()).isEqualTo(2);
    assertThat(request.conn().qpNum()).isEqualTo(active.qp().qpNum());
    assertThat(passive.context()).as("as of ucma_process_conn_req").isEqualTo("server");
    assertThat(passive.peerAddr().getPort()).isEqualTo(active.srcPort());
    assertThat(passive.srcPort()).isEqualTo(RdmaHosts.PORT);
  }

  @Test
  void bothProgramsMayDisconnectAtOnce() {
    RdmaCmId[] ends = hosts.connected();

    ends[0].disconnect();
    ends[1].disconnect();

    hosts.atA(DISCONNECTED, ends[0]);
    hosts.atB(DISCONNECTED, ends[1]);
    hosts.atA(TIMEWAIT_EXIT, ends[0]);
    hosts.atB(TIMEWAIT_EXIT, ends[1]);
  }

  @Test
  void theSanitizerFindsNothingInAProgramThatClosesItsIds() {
    DeviceProfile profile = DeviceProfile.standard().sanitized();
    RdmaHosts sanitized =
        new RdmaHosts(InMemoryFabric.virtualTime(), profile, "10.0.0.1", "10.0.0.2");
    RdmaCmId[] ends = sanitized.connected();

    ends[0].close();
    sanitized.atB(DISCONNECTED, ends[1]);
    ends[1].close();
    sanitized.close();

    assertThat(sanitized.emulator.sanitizerFindings()).isEmpty();
  }

  private RdmaCmId anotherConnecting() {
    RdmaCmId active = hosts.active();
    active.connect(NOTHING);
    return active;
  }

  /** Time passes in which nothing comes to the first host. */
  private void letArrive() {
    assertThat(hosts.channelA.getCmEvent(Duration.ofMillis(1))).isEmpty();
  }

  private void expectRejection(RdmaCmId active) {
    assertThat(hosts.atA(REJECTED, 28).id()).isSameAs(active);
    active.close();
  }

  @Test
  void aListenerThatIsClosedRejectsWhatNobodyHasTaken() {
    RdmaCmId listener = hosts.listener(TCP, 1);
    RdmaCmId active = anotherConnecting();
    letArrive();

    listener.close();

    expectRejection(active);
  }

  @Test
  void aChannelThatIsDestroyedRejectsItsRequests() {
    RdmaCmId listener = hosts.listener(TCP, 8);
    RdmaCmId early = anotherConnecting();
    letArrive();

    hosts.channelB.close();

    expectRejection(early);
    expectRejection(anotherConnecting());
    listener.close();
    hosts.emulator.run(Duration.ofMinutes(5));
    assertThat(hosts.census()).isEqualTo("0 ids, 0 ends | 0 ids, 0 ends");
    assertRefused(EINVAL, "destroyed", hosts.channelB::getCmEvent);
    assertRefused(EINVAL, "destroyed", () -> hosts.channelB.createId(TCP));
  }

  @Test
  void aListenerThatMovesTakesItsRequestsWithIt() {
    RdmaCmId listener = hosts.listener(TCP, 8);
    List<RdmaCmId> asking = List.of(anotherConnecting(), anotherConnecting());
    letArrive();
    try (RdmaEventChannel other = hosts.b.createEventChannel()) {
      listener.migrate(other);

      for (RdmaCmId active : asking) {
        RdmaCmId passive = RdmaHosts.next(other, CONNECT_REQUEST).id();
        assertThat(passive.dstPort()).isEqualTo(active.srcPort());
        assertThat(passive.channel()).isSameAs(other);
        passive.close();
        expectRejection(active);
      }

      assertThat(other.getCmEvent(Duration.ZERO)).isEmpty();
      assertThat(hosts.channelB.getCmEvent(Duration.ZERO)).isEmpty();
      listener.close();
    }
  }

  @Test
  void anIdMovesToAnotherChannelWithItsEventsIfAllAreAcknowledged() {
    RdmaCmId id = hosts.channelA.createId(TCP);
    try (RdmaEventChannel other = hosts.a.createEventChannel()) {
      id.writeCmEvent(USER, 1, null);
      RdmaCmEvent taken = hosts.channelA.getCmEvent();
      assertRefused(EBUSY, () -> id.migrate(other));
      assertThat(id.channel()).isSameAs(hosts.channelA);
      taken.ack();
      id.writeCmEvent(USER, 2, null);

      id.migrate(other);

      assertThat(hosts.channelA.getCmEvent(Duration.ZERO)).isEmpty();
      RdmaHosts.next(other, USER, id);
      assertThat(id.channel()).isSameAs(other);
      id.close();
    }
  }

  @Test
  void anIdBecomesSynchronousOnce() {
    RdmaCmId id = hosts.channelA.createId(TCP);
    id.migrate(null);
    assertThat(id.channel()).isNull();

    id.resolveAddr(null, hosts.toB(), SOON);

    assertThat(id.event().event()).isEqualTo(ADDR_RESOLVED);
    assertRefused(EINVAL, () -> id.migrate(null));
  }
}

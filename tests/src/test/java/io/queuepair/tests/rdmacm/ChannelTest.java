// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaPortSpace;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests that wait in an event channel when that is destroyed, or when their listener moves. */
final class ChannelTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private RdmaCmId connecting() {
    RdmaCmId active = hosts.active();
    active.connect(RdmaConnParam.of(0, 0));
    return active;
  }

  /** Time passes in which nothing comes to the first host. */
  private void letArrive() {
    assertThat(hosts.channelA.getCmEvent(Duration.ofMillis(1))).isEmpty();
  }

  private void expectRejection(RdmaCmId active) {
    RdmaCmEvent rejected = RdmaHosts.next(hosts.channelA);
    assertThat(rejected.id()).isSameAs(active);
    assertThat(rejected.event()).isEqualTo(RdmaCmEventType.REJECTED);
    assertThat(rejected.status()).isEqualTo(28);
    active.close();
  }

  @Test
  void aChannelThatIsDestroyedRejectsItsRequests() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 8);
    RdmaCmId early = connecting();
    letArrive();

    hosts.channelB.close();

    expectRejection(early);
    expectRejection(connecting());
    listener.close();
    hosts.emulator.run(Duration.ofMinutes(5));
    assertThat(hosts.census()).isEqualTo("0 ids, 0 ends | 0 ids, 0 ends");
  }

  @Test
  void aListenerThatMovesTakesItsRequestsWithIt() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 8);
    RdmaCmId first = connecting();
    RdmaCmId second = connecting();
    letArrive();

    try (RdmaEventChannel other = hosts.b.createEventChannel()) {
      listener.migrate(other);

      try (RdmaCmEvent request = other.getCmEvent()) {
        assertThat(request.id().dstPort()).isEqualTo(first.srcPort());
        request.id().close();
      }
      expectRejection(first);
      try (RdmaCmEvent request = other.getCmEvent()) {
        assertThat(request.event()).isEqualTo(RdmaCmEventType.CONNECT_REQUEST);
        assertThat(request.id().dstPort()).isEqualTo(second.srcPort());
        assertThat(request.id().channel()).isSameAs(other);
        request.id().reject();
        request.id().close();
      }
      expectRejection(second);
      assertThat(other.getCmEvent(Duration.ZERO)).isEmpty();
      assertThat(hosts.channelB.getCmEvent(Duration.ZERO)).isEmpty();
      listener.close();
    }
  }
}

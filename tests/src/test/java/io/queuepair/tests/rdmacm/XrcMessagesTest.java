// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCm;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a REQ of an initiator and a REP of a target leave out, and where the target names itself, as
 * {@code cm_format_req} and {@code cm_format_rep} of Linux.
 */
final class XrcMessagesTest {
  private final RdmaHosts hosts = new RdmaHosts();
  private RdmaCmId active;
  private RdmaCmEvent request;

  @AfterEach
  void close() {
    hosts.close();
  }

  @BeforeEach
  void connect() {
    RdmaCmId listener = endpoint(hosts.b, QpType.XRC_RECV, RdmaAddrinfoFlag.PASSIVE);
    listener.migrate(hosts.channelB);
    listener.listen(1);
    active = endpoint(hosts.a, QpType.XRC_SEND);
    active.migrate(hosts.channelA);
    active.createQp(null, RdmaHosts.attr(QpType.XRC_SEND));
    active.connect(RdmaConnParam.of(3, 5).withRetries(6, 4));
    request = RdmaHosts.next(hosts.channelB);
  }

  private static RdmaCmId endpoint(RdmaCm host, QpType type, RdmaAddrinfoFlag... flags) {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.TCP, flags).withQpType(type);
    return host.createEp(host.getaddrinfo("10.0.0.2", "7471", hints).get(0), null, null);
  }

  @Test
  void aRequestLeavesOutWhatATargetCannotUse() {
    assertThat(request.conn().responderResources()).isEqualTo(5);
    assertThat(request.conn().initiatorDepth()).isZero();
    assertThat(request.conn().retryCount()).isZero();
    assertThat(request.conn().rnrRetryCount()).isZero();
    assertThat(request.conn().srq()).isFalse();
    assertThat(request.conn().qpNum()).isEqualTo(active.qp().qpNum());
  }

  @Test
  void aTargetNamesItselfInTheFieldOfTheContext() {
    active.destroyQp(); // Without a queue pair on the id, the program sees the answer.
    RdmaCmId passive = request.id();

    passive.accept(RdmaConnParam.of(5, 2).withQp(0x1234, false));

    RdmaCmEvent answer = RdmaHosts.next(hosts.channelA);
    assertThat(answer.event()).isEqualTo(RdmaCmEventType.CONNECT_RESPONSE);
    assertThat(answer.conn().qpNum()).isEqualTo(0x1234);
    assertThat(answer.conn().srq()).isTrue();
    assertThat(answer.conn().initiatorDepth()).isEqualTo(5);
    assertThat(answer.conn().responderResources()).isZero();
  }

  @Test
  void anInitiatorDisconnectsFromItsTarget() {
    RdmaCmId passive = request.id();
    passive.createSrq(null, SrqAttr.of(4, 1));
    passive.createQp(null, RdmaHosts.attr(QpType.XRC_RECV));
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    assertThat(active.qp().query().destQpNum()).isEqualTo(passive.qp().qpNum());

    active.disconnect();

    RdmaHosts.expect(hosts.channelB, RdmaCmEventType.DISCONNECTED, passive);
  }
}

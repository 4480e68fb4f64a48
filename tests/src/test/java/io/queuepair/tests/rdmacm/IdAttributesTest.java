// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SrqAttr;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an id knows when: its device, its port, and what the program attached. */
final class IdAttributesTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private static void refused(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(words);
  }

  /** Only a peer or an address of its own leads to a device. */
  @Test
  void anIdThatIsBoundToAWildcardHasNoDevice() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);
    RdmaCmId datagrams = hosts.channelA.createId(RdmaPortSpace.UDP);
    id.bindAddr(new InetSocketAddress("0.0.0.0", 0));
    datagrams.bindAddr(new InetSocketAddress("0.0.0.0", 0));

    assertThat(id.verbs()).isNull();
    assertThat(id.portNum()).isZero();
    assertThat(id.srcPort()).isNotZero();
    refused("not bound to a device", () -> id.createQp(null, RdmaHosts.attr(QpType.RC)));
    refused("not bound to a device", () -> id.createSrq(null, SrqAttr.of(1, 1)));
    refused("not bound to a device", () -> id.initQpAttr(QpState.INIT));
    InetSocketAddress group = new InetSocketAddress("239.1.2.3", 0);
    refused("not bound to a device", () -> datagrams.joinMulticast(group, null));
    refused("route is not resolved", () -> id.connect(RdmaConnParam.of(0, 0)));

    id.resolveAddr(null, hosts.toB(), Duration.ofSeconds(1));

    assertThat(id.verbs()).isSameAs(hosts.a.getDevices().get(0));
    assertThat(id.portNum()).isEqualTo(1);
  }

  /** {@code ucma_process_conn_req} of librdmacm, when the event is taken. */
  @Test
  void aRequestHasTheContextOfItsListener() {
    RdmaCmId listener = hosts.listener(RdmaPortSpace.TCP, 1);
    hosts.active().connect(RdmaConnParam.of(0, 0));
    listener.setContext("server");

    RdmaCmId passive = RdmaHosts.next(hosts.channelB).id();

    assertThat(passive.context()).isEqualTo("server");
    passive.setContext("connection");
    assertThat(listener.context()).isEqualTo("server");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.VerbsException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports of all spaces lead to a service of the same space, by names and numbers. */
final class PortSpacesTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  @ParameterizedTest
  @CsvSource({"TCP, RC", "UDP, UD", "IB, RC", "IPOIB, UD"})
  void aRequestReachesTheListenerOfItsSpace(RdmaPortSpace space, QpType type) {
    for (RdmaPortSpace each : RdmaPortSpace.values()) {
      hosts.listener(each, 1);
    }
    RdmaCmId active = hosts.routed(space);
    assertThat(active.qpType()).isEqualTo(type);
    active.createQp(null, RdmaHosts.attr(type));

    active.connect(RdmaConnParam.of(0, 0));

    RdmaCmId passive = hosts.request();
    assertThat(passive.ps()).isEqualTo(space);
    passive.accept();
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ESTABLISHED, active);
  }

  @Test
  void addressesAreResolvedForAnId() {
    RdmaCmId id = hosts.channelA.createId(RdmaPortSpace.TCP);

    id.resolveAddrinfo("10.0.0.2", "80", RdmaAddrinfo.hints(RdmaPortSpace.UDP));
    RdmaHosts.expect(hosts.channelA, RdmaCmEventType.ADDRINFO_RESOLVED, id);

    List<RdmaAddrinfo> found = id.queryAddrinfo();
    assertThat(found).hasSize(1);
    assertThat(found.get(0).dstAddr().getPort()).isEqualTo(80);
    assertThat(found.get(0).qpType()).isEqualTo(QpType.UD);
    id.resolveAddrinfo(
        "no-number", "80", RdmaAddrinfo.hints(RdmaPortSpace.UDP, RdmaAddrinfoFlag.NUMERICHOST));
    RdmaCmEvent failed = RdmaHosts.next(hosts.channelA);
    assertThat(failed.event()).isEqualTo(RdmaCmEventType.ADDRINFO_ERROR);
    assertThat(failed.status()).isNegative();
    assertThat(failed.explain()).contains("no-number is not a numeric address");
    assertThatThrownBy(id::queryAddrinfo)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOENT));
  }

  @ParameterizedTest
  @CsvSource({"RC, TCP", "XRC_RECV, TCP", "UD, UDP"})
  void hintsWithoutASpaceGetThatOfTheirType(QpType type, RdmaPortSpace space) {
    RdmaAddrinfo hints = new RdmaAddrinfo(Set.of(), type, null, null, null, "");

    assertThat(hosts.a.getaddrinfo("10.0.0.2", "80", hints).get(0).portSpace()).isEqualTo(space);
  }

  /** As {@code ucma_convert_to_rai} of librdmacm. */
  @Test
  void ofTheFlagsOnlyPassiveIsKept() {
    RdmaAddrinfoFlag numeric = RdmaAddrinfoFlag.NUMERICHOST;
    RdmaAddrinfo active = RdmaAddrinfo.hints(RdmaPortSpace.TCP, numeric);
    RdmaAddrinfo passive = RdmaAddrinfo.hints(RdmaPortSpace.TCP, numeric, RdmaAddrinfoFlag.PASSIVE);

    assertThat(hosts.a.getaddrinfo("10.0.0.2", "80", active).get(0).flags()).isEmpty();
    assertThat(hosts.a.getaddrinfo("10.0.0.2", "80", passive).get(0).flags())
        .containsExactly(RdmaAddrinfoFlag.PASSIVE);
  }

  @Test
  void hintsAloneAreTheAnswer() {
    InetSocketAddress source = new InetSocketAddress("10.0.0.1", 9);
    InetSocketAddress destination = new InetSocketAddress("10.0.0.2", 80);
    RdmaAddrinfo hints =
        new RdmaAddrinfo(Set.of(), null, RdmaPortSpace.TCP, source, destination, "");

    RdmaAddrinfo found = hosts.a.getaddrinfo(null, null, hints).get(0);

    assertThat(found.srcAddr()).isEqualTo(source);
    assertThat(found.dstAddr()).isEqualTo(destination);
  }
}

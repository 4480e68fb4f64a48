// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without a node, and with names of services: what getaddrinfo of glibc 2.36 gives librdmacm. */
final class AddrinfoTest {
  private final RdmaHosts hosts = new RdmaHosts();

  @AfterEach
  void close() {
    hosts.close();
  }

  private List<RdmaAddrinfo> passive(String node, String service) {
    return hosts.b.getaddrinfo(
        node, service, RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE));
  }

  private static InetSocketAddress at(String address, int port) {
    return new InetSocketAddress(address, port);
  }

  @Test
  void withoutANodeAPassiveIdListensAnywhere() {
    assertThat(passive(null, "7471"))
        .extracting(RdmaAddrinfo::srcAddr)
        .containsExactly(at("0.0.0.0", 7471), at("::", 7471));
    assertThat(passive(null, "7471")).extracting(RdmaAddrinfo::dstAddr).containsOnlyNulls();
  }

  @Test
  void withoutANodeThePeerIsThisHost() {
    assertThat(hosts.b.getaddrinfo(null, "7471", null))
        .extracting(RdmaAddrinfo::dstAddr)
        .containsExactly(at("::1", 7471), at("127.0.0.1", 7471));
  }

  /** {@code ai_dst_addr} of the hints is not asked for. */
  @Test
  void aServiceWithoutANodeIsThatOfThisHostWhateverTheDestinationOfTheHints() {
    InetSocketAddress source = at("10.0.0.1", 0);
    RdmaAddrinfo hints =
        new RdmaAddrinfo(
            Set.of(RdmaAddrinfoFlag.FAMILY), null, null, source, at("10.0.0.2", 9), "");

    assertThat(hosts.a.getaddrinfo(null, "7471", hints))
        .containsExactly(
            new RdmaAddrinfo(
                Set.of(), QpType.RC, RdmaPortSpace.TCP, source, at("127.0.0.1", 7471), ""));
  }

  @Test
  void hintsAloneAreTheAnswerWithTheirFlags() {
    InetSocketAddress source = at("10.0.0.2", 9);
    RdmaAddrinfo hints =
        RdmaAddrinfo.hints(RdmaPortSpace.TCP, RdmaAddrinfoFlag.PASSIVE, RdmaAddrinfoFlag.NOROUTE)
            .withSrcAddr(source);

    RdmaAddrinfo found = hosts.b.getaddrinfo(null, null, hints).get(0);

    assertThat(found.srcAddr()).isEqualTo(source);
    assertThat(found.flags()).isEqualTo(hints.flags());
  }

  /** {@code cma_any_addr} takes a loopback address for the own device, of whatever family. */
  @Test
  void aHostConnectsToItself() {
    RdmaCmId listener = hosts.b.createEp(passive(null, "7471").get(0), null, null);
    listener.migrate(hosts.channelB);
    listener.listen(1);

    for (RdmaAddrinfo own : hosts.b.getaddrinfo(null, "7471", null)) {
      RdmaCmId active = hosts.channelB.createId(RdmaPortSpace.TCP);
      active.resolveAddr(null, own.dstAddr(), RdmaHosts.SOON);
      RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ADDR_RESOLVED, active);
      active.resolveRoute(RdmaHosts.SOON);
      RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ROUTE_RESOLVED, active);
      active.createQp(null, RdmaHosts.attr(QpType.RC));
      active.connect();
      RdmaCmId passive = hosts.request();
      assertThat(passive.peerAddr().getHostString()).isEqualTo("10.0.0.2");
      passive.accept();
      RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, active);
      RdmaHosts.expect(hosts.channelB, RdmaCmEventType.ESTABLISHED, passive);
    }
  }

  /** Names of services are those of the system. */
  @ParameterizedTest
  @CsvSource({
    "ssh, TCP, 22",
    "http, TCP, 80",
    "domain, UDP, 53",
    "domain, IPOIB, 53",
    "ssh, IB, 22"
  })
  void servicesHaveNames(String service, RdmaPortSpace space, int port) {
    assumeThat(Path.of("/etc/services")).exists();

    assertThat(hosts.a.getaddrinfo("10.0.0.2", service, RdmaAddrinfo.hints(space)).get(0).dstAddr())
        .isEqualTo(at("10.0.0.2", port));
  }

  @Test
  void withoutHintsAServiceOfDatagramsGivesTheirPortSpace() {
    assumeThat(Path.of("/etc/services")).exists();

    RdmaAddrinfo found = hosts.a.getaddrinfo("10.0.0.2", "tftp", null).get(0);

    assertThat(found.dstAddr()).isEqualTo(at("10.0.0.2", 69));
    assertThat(found.portSpace()).isEqualTo(RdmaPortSpace.UDP);
    assertThat(found.qpType()).isEqualTo(QpType.UD);
  }

  @Test
  void aServiceOfOtherQueuePairsIsRefused() {
    RdmaAddrinfo hints = RdmaAddrinfo.hints(RdmaPortSpace.UDP);

    assertThatThrownBy(() -> hosts.a.getaddrinfo("10.0.0.2", "ssh", hints))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason().code()).isEqualTo(-8))
        .hasMessageContaining("/etc/services");
  }
}

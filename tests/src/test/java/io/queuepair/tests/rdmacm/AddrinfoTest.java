// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.ADDRINFO_ERROR;
import static io.queuepair.rdmacm.RdmaCmEventType.ADDRINFO_RESOLVED;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static io.queuepair.rdmacm.RdmaPortSpace.TCP;
import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static io.queuepair.tests.conformance.Errnos.assertRefused;
import static io.queuepair.tests.rdmacm.RdmaHosts.address;
import static io.queuepair.verbs.Errno.EINVAL;
import static io.queuepair.verbs.Errno.ENOENT;
import static io.queuepair.verbs.Errno.EOPNOTSUPP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.queuepair.rdmacm.RdmaAddrinfo;
import io.queuepair.rdmacm.RdmaAddrinfoException;
import io.queuepair.rdmacm.RdmaAddrinfoFlag;
import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.QpType;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that getaddrinfo of glibc 2.36 gives librdmacm: names, nodes, services and hints. */
final class AddrinfoTest {
  private static final InetSocketAddress SOURCE = address("10.0.0.1", 9);

  @AutoClose private final RdmaHosts hosts = new RdmaHosts();

  private List<RdmaAddrinfo> passive(String node, String service) {
    return hosts.b.getaddrinfo(node, service, RdmaAddrinfo.hints(TCP, RdmaAddrinfoFlag.PASSIVE));
  }

  private RdmaAddrinfo found(RdmaAddrinfo hints) {
    return hosts.a.getaddrinfo("10.0.0.2", "80", hints).get(0);
  }

  @Test
  void withoutANodeAPassiveIdListensAnywhere() {
    assertThat(passive(null, "7471"))
        .extracting(RdmaAddrinfo::srcAddr)
        .containsExactly(address("0.0.0.0", 7471), address("::", 7471));
    assertThat(passive(null, "7471")).extracting(RdmaAddrinfo::dstAddr).containsOnlyNulls();
  }

  @Test
  void withoutANodeThePeerIsThisHost() {
    assertThat(hosts.b.getaddrinfo(null, "7471", null))
        .extracting(RdmaAddrinfo::dstAddr)
        .containsExactly(address("::1", 7471), address("127.0.0.1", 7471));
  }

  /** {@code ai_dst_addr} of the hints is not asked for. */
  @Test
  void aServiceWithoutANodeIsThatOfThisHostWhateverTheDestinationOfTheHints() {
    Set<RdmaAddrinfoFlag> family = Set.of(RdmaAddrinfoFlag.FAMILY);
    RdmaAddrinfo hints = new RdmaAddrinfo(family, null, null, SOURCE, address("10.0.0.2", 9), "");

    assertThat(hosts.a.getaddrinfo(null, "7471", hints))
        .containsExactly(
            new RdmaAddrinfo(Set.of(), QpType.RC, TCP, SOURCE, address("127.0.0.1", 7471), ""));
  }

  @Test
  void hintsAloneAreTheAnswerWithTheirFlags() {
    Set<RdmaAddrinfoFlag> flags = Set.of(RdmaAddrinfoFlag.PASSIVE, RdmaAddrinfoFlag.NOROUTE);
    InetSocketAddress destination = address("10.0.0.2", 80);
    RdmaAddrinfo hints = new RdmaAddrinfo(flags, null, TCP, SOURCE, destination, "");

    RdmaAddrinfo found = hosts.a.getaddrinfo(null, null, hints).get(0);

    assertThat(found.srcAddr()).isEqualTo(SOURCE);
    assertThat(found.dstAddr()).isEqualTo(destination);
    assertThat(found.flags()).isEqualTo(flags);
  }

  @ParameterizedTest
  @CsvSource({"RC, TCP", "XRC_RECV, TCP", "UD, UDP"})
  void hintsWithoutASpaceGetThatOfTheirType(QpType type, RdmaPortSpace space) {
    assertThat(found(new RdmaAddrinfo(Set.of(), type, null, null, null, "")).portSpace())
        .isEqualTo(space);
  }

  @Test
  void addressesAreResolvedForAnId() {
    RdmaCmId id = hosts.channelA.createId(TCP);
    id.resolveAddrinfo("10.0.0.2", "80", RdmaAddrinfo.hints(UDP));
    hosts.atA(ADDRINFO_RESOLVED, id);
    assertThat(id.queryAddrinfo())
        .singleElement()
        .matches(found -> found.dstAddr().getPort() == 80 && found.qpType() == QpType.UD);

    id.resolveAddrinfo("no-number", "80", RdmaAddrinfo.hints(UDP, RdmaAddrinfoFlag.NUMERICHOST));

    RdmaCmEvent failed = hosts.atA(ADDRINFO_ERROR);
    assertThat(failed.status()).isNegative();
    assertThat(failed.explain()).contains("no-number is not a numeric address");
    assertRefused(ENOENT, id::queryAddrinfo);
  }

  /** {@code cma_any_addr} takes a loopback address for the own device, of whatever family. */
  @Test
  void aHostConnectsToItself() {
    RdmaCmId listener = hosts.b.createEp(passive(null, "7471").get(0), null, null);
    listener.migrate(hosts.channelB);
    listener.listen(1);
    for (RdmaAddrinfo own : hosts.b.getaddrinfo(null, "7471", null)) {
      RdmaCmId active =
          RdmaHosts.routed(hosts.channelB, hosts.channelB.createId(TCP), own.dstAddr());
      RdmaHosts.withQp(active).connect();

      RdmaCmId passive = hosts.request();

      assertThat(passive.peerAddr().getHostString()).isEqualTo("10.0.0.2");
      passive.accept();
      hosts.atB(ESTABLISHED, active);
      hosts.atB(ESTABLISHED, passive);
    }
  }

  /** Names of services are those of the system. */
  @ParameterizedTest
  @CsvSource({"ssh, TCP, 22", "domain, UDP, 53", "domain, IPOIB, 53", "ssh, IB, 22"})
  void servicesHaveNames(String service, RdmaPortSpace space, int port) {
    assumeThat(Path.of("/etc/services")).exists();
    assertThat(hosts.a.getaddrinfo("10.0.0.2", service, RdmaAddrinfo.hints(space)).get(0).dstAddr())
        .isEqualTo(address("10.0.0.2", port));
  }

  @Test
  void withoutHintsAServiceOfDatagramsGivesTheirPortSpace() {
    assumeThat(Path.of("/etc/services")).exists();
    RdmaAddrinfo found = hosts.a.getaddrinfo("10.0.0.2", "tftp", null).get(0);
    assertThat(found.dstAddr()).isEqualTo(address("10.0.0.2", 69));
    assertThat(found.portSpace()).isEqualTo(UDP);
    assertThat(found.qpType()).isEqualTo(QpType.UD);
  }

  private void assertNotFound(
      String node, String service, RdmaAddrinfo hints, int code, String words) {
    assertThatThrownBy(() -> hosts.a.getaddrinfo(node, service, hints))
        .isInstanceOfSatisfying(
            RdmaAddrinfoException.class, e -> assertThat(e.reason().code()).isEqualTo(code))
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"no-such-service", "65536", "123456789012", "-1", ""})
  void aServiceThatIsNoPortIsRefused(String service) {
    String words = "service " + service + " is no port from 0 to 65535";
    assertNotFound("10.0.0.2", service, null, -8, words);
  }

  /** The codes are those that getaddrinfo of glibc gives librdmacm for the same arguments. */
  @ParameterizedTest
  @CsvSource({"TCP, UD", "UDP, RC", "IPOIB, UC", "UDP, XRC_SEND"})
  void typesThatAPortSpaceDoesNotHave(RdmaPortSpace space, QpType type) {
    String words = "port space " + space + " has no queue pairs of type " + type;
    assertNotFound("10.0.0.2", null, RdmaAddrinfo.hints(space).withQpType(type), -7, words);
  }

  @Test
  void whatIsNotFoundHasTheCodesOfGlibc() {
    RdmaAddrinfo family =
        RdmaAddrinfo.hints(TCP, RdmaAddrinfoFlag.FAMILY).withSrcAddr(address("fd00::1", 0));
    RdmaAddrinfo numeric = RdmaAddrinfo.hints(TCP, RdmaAddrinfoFlag.NUMERICHOST);
    RdmaAddrinfo administrator = RdmaAddrinfo.hints(TCP, RdmaAddrinfoFlag.SA);
    assertNotFound("10.0.0.2", "1", family, -9, "");
    assertNotFound("host", "1", numeric, -2, "");
    assertRefused(EINVAL, "neither a node", () -> hosts.a.getaddrinfo(null, null, null));
    assertRefused(
        EOPNOTSUPP,
        "subnet administrator",
        () -> hosts.a.getaddrinfo("10.0.0.2", "1", administrator));
    assumeThat(Path.of("/etc/services")).exists();
    assertNotFound("10.0.0.2", "ssh", RdmaAddrinfo.hints(UDP), -8, "/etc/services");
  }
}

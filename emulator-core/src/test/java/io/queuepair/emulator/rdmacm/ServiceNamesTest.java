// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.rdmacm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines as services(5) describes them. */
final class ServiceNamesTest {
  private static final List<String> LINES =
      List.of(
          "# Network services",
          "",
          "ssh\t\t22/tcp\t\t\t\t# SSH Remote Login Protocol, not 23/udp",
          "domain\t\t53/tcp",
          "domain\t\t53/udp",
          "http 80/tcp www # WorldWideWeb HTTP",
          "broken",
          "strange x/tcp",
          "  tftp 69/udp");

  @ParameterizedTest
  @CsvSource({
    "ssh, tcp, 22",
    "ssh, udp,",
    "domain, udp, 53",
    "www, tcp, 80",
    "tftp, udp, 69",
    "tftp, tcp,",
    "80/tcp, tcp,",
    "broken, tcp,",
    "strange, tcp,",
    "Login, tcp,",
    "'', tcp,",
  })
  void aServiceHasThePortOfItsProtocol(String name, String protocol, Integer port) {
    assertThat(ServiceNames.port(LINES, name, protocol).orElse(null)).isEqualTo(port);
  }
}

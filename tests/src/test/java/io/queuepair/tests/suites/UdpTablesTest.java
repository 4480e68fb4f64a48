// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The tables of cases over UDP sockets of this host. Rows that wait for a long timer are left out:
 * here it would run in real time.
 */
final class UdpTablesTest {
  private static final String HOST_A = "127.0.0.60";
  private static final String HOST_B = "127.0.0.61";

  static Stream<SuiteCase> rows() {
    return Tables.rows().filter(row -> !row.needsVirtualTime());
  }

  /** A port that is not in use: the tests of another build may run on this host. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @Timeout(20)
  void runs(SuiteCase row) {
    UdpFabric fabric = UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of(HOST_A)));
    row.run(Pair.on(fabric).hosts(HOST_A, HOST_B));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.LinkForm;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases that are written down in words, in memory and over UDP sockets of this host. */
final class ScriptedCasesTest {
  private static final String HOST_A = "127.0.0.60";
  private static final String HOST_B = "127.0.0.61";

  static final List<String> FILES =
      List.of(
          "send.txt",
          "rdma.txt",
          "atomic.txt",
          "window.txt",
          "memory.txt",
          "datagram.txt",
          "state.txt",
          "channel.txt",
          "srq.txt");

  static Stream<Script> scripts() {
    return FILES.stream().flatMap(file -> Script.of(ScriptedCasesTest.class, file));
  }

  /** Cases that wait for a long timer are left out: over UDP it would run in real time. */
  static Stream<Script> quickScripts() {
    return scripts().filter(script -> !script.has("virtual"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scripts")
  void packetsAsObjects(Script script) {
    CaseRunner.run(script, Pair.on(LinkForm.OBJECTS));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scripts")
  void packetsAsBytes(Script script) {
    CaseRunner.run(script, Pair.on(LinkForm.WIRE_EXACT));
  }

  /** On a port that is not in use: the tests of another build may run on this host. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("quickScripts")
  @Timeout(20)
  void packetsInSockets(Script script) {
    UdpFabric fabric = UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of(HOST_A)));
    CaseRunner.run(script, Pair.on(fabric).hosts(HOST_A, HOST_B));
  }
}

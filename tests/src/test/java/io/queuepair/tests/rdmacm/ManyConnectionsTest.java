// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.rdmacm;

import static io.queuepair.rdmacm.RdmaCmEventType.CONNECT_REQUEST;
import static io.queuepair.rdmacm.RdmaCmEventType.DISCONNECTED;
import static io.queuepair.rdmacm.RdmaCmEventType.ESTABLISHED;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.rdmacm.RdmaConnParam;
import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.HwCounter;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that are open at once, up to 10,000 in a process with 1 GiB of heap. */
final class ManyConnectionsTest {
  private static final int REQUESTS = 200;

  /** At a millisecond for each, as of code that has not run before, a small part of a timeout. */
  private static final long MOST_AT_ONCE = 32;

  @Test
  void allAreOpenAtOnceAndNothingIsLeft() {
    openAndClose(500);
  }

  private static long sent(Context context) {
    return context.hwCounters(1).get(HwCounter.SENT_PKTS);
  }

  @Test
  void theNetworkGoesOnBetweenTheAnswersToManyRequests() {
    InMemoryFabric network = InMemoryFabric.virtualTime();
    try (RdmaHosts hosts = new RdmaHosts(network)) {
      Context flooded = hosts.deviceB.open();
      List<RdmaCmId> ids = Stream.generate(hosts::active).limit(REQUESTS).toList();
      ids.forEach(RdmaCmId::connect);

      long mostAtOnce = 0;
      while (sent(flooded) < REQUESTS) {
        long before = sent(flooded);
        assertThat(network.scheduler().runNext()).isTrue();
        mostAtOnce = Math.max(mostAtOnce, sent(flooded) - before);
      }

      assertThat(mostAtOnce).isBetween(1L, MOST_AT_ONCE);
    }
  }

  @Test
  @Tag("large") // Half a minute, or some on a busy machine.
  void tenThousandFitIntoOneGibibyte() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-cp",
                System.getProperty("java.class.path"),
                ManyConnectionsTest.class.getName(),
                "10000")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("10000 connections were open at once");
  }

  /**
   * The process with little memory.
   *
   * @param arguments how many connections
   */
  public static void main(String[] arguments) {
    int connections = Integer.parseInt(arguments[0]);
    openAndClose(connections);
    System.out.println(connections + " connections were open at once");
  }

  private static void openAndClose(int connections) {
    try (RdmaHosts hosts = new RdmaHosts()) {
      hosts.listener(RdmaPortSpace.TCP, 0);
      CompletionQueue cqA = hosts.a.getDevices().get(0).createCq(64, null, 0);
      CompletionQueue cqB = hosts.b.getDevices().get(0).createCq(64, null, 0);
      List<RdmaCmId> ends = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        RdmaCmId active = hosts.routed(RdmaPortSpace.TCP);
        active.createQp(null, QpInitAttr.rc(cqA, QpCap.of(1)));
        active.connect(RdmaConnParam.of(1, 1));
        RdmaCmId passive = hosts.atB(CONNECT_REQUEST).id();
        passive.createQp(null, QpInitAttr.rc(cqB, QpCap.of(1)));
        passive.accept();
        hosts.atA(ESTABLISHED, active);
        hosts.atB(ESTABLISHED, passive);
        ends.add(active);
        ends.add(passive);
      }
      assertThat(hosts.census()).startsWith(connections + " ids, " + connections + " ends");

      for (int i = 0; i < ends.size(); i += 2) {
        ends.get(i).close();
        hosts.atB(DISCONNECTED, ends.get(i + 1));
        ends.get(i + 1).close();
      }
      hosts.emulator.run(Duration.ofSeconds(2));
      assertThat(hosts.census()).isEqualTo("0 ids, 0 ends | 1 ids, 0 ends");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.faults;

import static io.queuepair.rdmacm.RdmaPortSpace.UDP;
import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.InMemoryFabric;
import io.queuepair.emulator.faults.FaultFabric;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.observe.LadderTrace;
import io.queuepair.tests.conformance.FreePort;
import io.queuepair.tests.conformance.Pair;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A plan does the same where time is real and packets are moved by a thread, or are datagrams. */
@Timeout(60)
final class RealTimeFaultTest {
  private static final int MESSAGES = 20;

  /** Networks in real time, with addresses of which any number of tests can run side by side. */
  enum RealTimeNetwork {
    IN_MEMORY,
    UDP;

    private Fabric open() {
      return switch (this) {
        case IN_MEMORY -> InMemoryFabric.realTime();
        case UDP -> UdpFabric.open(UdpOptions.defaults().withPort(FreePort.of("127.77.1.1")));
      };
    }
  }

  private final List<String> ladder = Collections.synchronizedList(new ArrayList<>());
  private FaultFabric network;

  private Pair connected(RealTimeNetwork form, String plan) {
    network = new FaultFabric(form.open(), FaultPlan.parse(plan));
    return Pair.on(LadderTrace.on(network, ladder::add))
        .hosts("127.77.1.1", "127.77.1.2")
        .connect();
  }

  private static List<WcStatus> sendAll(Pair pair) {
    for (int i = 0; i < MESSAGES; i++) {
      pair.a().region().buffer().put(i, (byte) (i + 1));
      pair.b().postRecv(RecvWr.of(i, pair.b().region().sge(i, 1)));
    }
    for (int i = 0; i < MESSAGES; i++) {
      pair.a().postSend(SendWr.send(i, pair.a().region().sge(i, 1)));
    }
    List<WcStatus> statuses = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      WorkCompletion completion = pair.await(pair.a().sendCq());
      assertThat(completion.wrId()).isEqualTo(i);
      statuses.add(completion.status());
    }
    return statuses;
  }

  private static void assertAllArrivesInOrder(Pair pair) {
    assertThat(sendAll(pair)).containsOnly(WcStatus.SUCCESS);
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(pair.await(pair.b().recvCq()).wrId()).isEqualTo(i);
    }
    assertThat(pair.b().region().buffer().slice(0, MESSAGES))
        .isEqualTo(pair.a().region().buffer().slice(0, MESSAGES));
  }

  @ParameterizedTest
  @EnumSource
  void whatIsLostAndDoubledArrivesOnce(RealTimeNetwork form) {
    String plan = "drop 3rd SEND; drop every 5th ACK; duplicate every 4th SEND; corrupt 7th SEND";
    try (Pair pair = connected(form, plan)) {
      assertAllArrivesInOrder(pair);

      Map<String, Long> taken = network.applied();
      assertThat(taken).containsEntry("drop 3rd SEND", 1L).containsEntry("corrupt 7th SEND", 1L);
      assertThat(taken.get("duplicate every 4th SEND")).isGreaterThanOrEqualTo(MESSAGES / 4);
      assertThat(ladder).anyMatch(line -> line.endsWith("dropped: drop 3rd SEND"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aForgedNakFailsOneSendAndFlushesTheRest(RealTimeNetwork form) {
    try (Pair pair = connected(form, "forge nak remote_access_error 1st SEND where psn = 104")) {
      List<WcStatus> statuses = sendAll(pair);

      assertThat(statuses.subList(0, 4)).containsOnly(WcStatus.SUCCESS);
      assertThat(statuses.get(4)).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(statuses.subList(5, MESSAGES)).containsOnly(WcStatus.WR_FLUSH_ERR);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsSentIntoAPartitionArrivesWhenItIsOver(RealTimeNetwork form) {
    try (Pair pair = connected(form, "partition 127.77.1.2 for 20ms")) {
      assertAllArrivesInOrder(pair);
    }
  }
}

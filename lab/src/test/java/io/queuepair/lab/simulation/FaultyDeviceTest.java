// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.ForwardingLink;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.verbs.QpType;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The invariants of the simulation can fail: a device that does wrong is found out. */
final class FaultyDeviceTest {
  private static final SimulationOptions RC =
      new SimulationOptions(FaultPlan.none(), 1, List.of(QpType.RC));

  private static List<String> failures(UnaryOperator<Fabric> network) {
    List<String> failures = new ArrayList<>();
    for (int seed = 1; seed <= 5; seed++) {
      SimulationOutcome outcome = WorkTestCase.of(seed, RC).run(network);
      if (outcome.failure() != null) {
        failures.add(outcome.failure().text());
      }
    }
    return failures;
  }

  @Test
  void withoutSabotageNothingFails() {
    assertThat(failures(UnaryOperator.identity())).isEmpty();
  }

  /** The network loses packets, so that there are gaps. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PAYLOAD_CHANGED        | is wrong
          ATOMIC_TWICE           | were made
          WRITE_MISPLACED        | was written, which nothing is allowed to do
          IMMEDIATE_CHANGED      | immediate 0x
          SEND_EMPTIED           | completed with SUCCESS for send
          READ_CHANGED           | is wrong
          ICRC_WRONG             | with a wrong ICRC
          PKEY_CHANGED           | with P_Key 0x8123
          QKEY_CHANGED           | with Q_Key
          ALWAYS_SOLICITED       | solicited: true
          PSN_LEFT_OUT           | and left PSNs out
          ACKNOWLEDGED_AGAIN     | again, which is acknowledged
          MSN_BEHIND             | with MSN
          CREDITS_INVENTED       | promised 64 receives and has at most
          RNR_CODE_CHANGED       | asks for RNR timer code 0
          ACK_AHEAD              | what has not arrived
          GAP_AFTER_REFUSAL      | but nothing is missing there
          GAP_TWICE              | reported the gap at PSN
          RNR_TIME_CUT           | before the RNR time is over
          RNR_TIME_STRETCHED     | was over
          CREDITS_IGNORED        | were under way for
          RETRIES_WITHOUT_REASON | without a reason
          STRANGER_BELIEVED      | but the peer has not received it
          """)
  void everyBreachIsNoticed(FaultyDevice sabotage, String complaint) {
    SimulationOptions options = SimulationOptions.DEFAULT.withFaults(FaultPlan.parse("drop 5%"));
    List<String> failures = new ArrayList<>();

    for (int seed = 1; seed <= 60 && !contains(failures, complaint); seed++) {
      WorkTestCase testCase = WorkTestCase.of(seed, options);
      SimulationOutcome outcome = Simulation.runOn(testCase, sabotage.network());
      failures.add(String.valueOf(outcome.failure()));
    }

    assertThat(failures).anyMatch(failure -> failure.contains(complaint));
  }

  private static boolean contains(List<String> failures, String complaint) {
    return failures.stream().anyMatch(failure -> failure.contains(complaint));
  }

  @Test
  void deviceThatBreaksIsAFailureOfItsSeed() {
    List<String> failures = failures(BrokenFabric::new);

    assertThat(failures)
        .hasSize(5)
        .allMatch(failure -> failure.contains("IllegalStateException: broken on purpose at "));
  }

  /** Nothing can be sent through it. */
  private static final class BrokenFabric extends ForwardingFabric {
    BrokenFabric(Fabric fabric) {
      super(fabric);
    }

    @Override
    public Link attach(InetAddress address, Station station) {
      return new ForwardingLink(super.attach(address, station)) {
        @Override
        public void send(Traffic traffic, String note) {
          throw new IllegalStateException("broken on purpose");
        }
      };
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.emulator.faults.FaultSyntaxException;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.scenario.ScenarioPlayer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** Targets of Jazzer, which calls the methods by their names. */
public enum FuzzTarget {
  /** Packets to live queue pairs of every type. */
  PACKETS {
    @Override
    void run(byte[] data) {
      fire(data, GuardedMemory.Registration.RIGHT);
    }
  },
  /** Messages of the connection manager to a host. */
  MANAGEMENT {
    @Override
    void run(byte[] data) {
      try (ManagementTarget target = new ManagementTarget()) {
        target.run(new FuzzInput(data));
      }
    }
  },
  /** A capture file of any format. */
  CAPTURES {
    @Override
    void run(byte[] data) {
      try (CaptureFile file = CaptureFile.read("fuzzed", new ByteArrayInputStream(data))) {
        while (file.next().isPresent()) {
          file.skippedKinds();
        }
      } catch (FabricException refused) {
        Violation.unless(
            refused.getMessage().startsWith("The capture file fuzzed "), "refused: %s", refused);
      }
    }
  },
  /** The text of a fault plan: refused, or written as it is read. */
  FAULT_PLANS {
    @Override
    void run(byte[] data) {
      try {
        FaultPlan plan = FaultPlan.parse(new String(data, StandardCharsets.UTF_8));
        boolean isSame = FaultPlan.parse(plan.toString()).equals(plan);
        Violation.unless(isSame, "a plan is not what it is written as: %s", plan);
      } catch (FaultSyntaxException refused) {
        Violation.unless(!refused.getMessage().isBlank(), "refused without a word");
      }
    }
  },
  /** The text of a scenario, which is run as a stranger's on the playground. */
  SCENARIOS {
    @Override
    void run(byte[] data) {
      List<String> lines = new String(data, StandardCharsets.UTF_8).lines().toList();
      try {
        ScenarioPlayer.tried(lines, MOST_STEPS);
      } catch (CommandFailure refused) {
        Violation.unless(!refused.getMessage().isBlank(), "refused without a word");
      }
    }
  };

  private static final int MOST_STEPS = 200;

  private static FuzzTarget chosen;

  abstract void run(byte[] data);

  static void fire(byte[] data, GuardedMemory.Registration registration) {
    try (PacketTarget target = new PacketTarget(registration)) {
      target.run(new FuzzInput(data));
    }
  }

  public static void fuzzerInitialize(String[] arguments) {
    chosen = valueOf(arguments[0].toUpperCase(Locale.ROOT));
  }

  public static void fuzzerTestOneInput(byte[] data) {
    chosen.run(data);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab;

import io.queuepair.lab.bench.BenchCommand;
import io.queuepair.lab.replay.ReplayCommand;
import io.queuepair.lab.simulate.SimulateCommand;
import io.queuepair.lab.totals.TotalsCommand;
import io.queuepair.lab.transitions.CheckTransitionsCommand;
import io.queuepair.tools.cli.CommandProvider;
import java.util.List;

public final class LabCommands implements CommandProvider {
  @Override
  public List<Class<?>> commands() {
    return List.of(
        SimulateCommand.class,
        ReplayCommand.class,
        CheckTransitionsCommand.class,
        TotalsCommand.class,
        BenchCommand.class);
  }
}

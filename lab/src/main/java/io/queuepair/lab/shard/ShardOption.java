// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shard;

import io.queuepair.tools.cli.OutputFile;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of long runs: the part to run, and a file for its totals. */
public final class ShardOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--shard",
      paramLabel = "I/N",
      converter = Shard.ShardConverter.class,
      description =
          "Run part I of N only. The parts can run on different machines; 'queuepair totals' adds"
              + " what --totals wrote.")
  private Shard shard = Shard.WHOLE;

  @Option(
      names = "--totals",
      paramLabel = "FILE",
      description = "Write the numbers, the failures and the hash to FILE, as JSON.")
  private Path file;

  /** Returns the part to run. Refuses more parts than steps, and a file that is not writable. */
  public Shard of(long steps, String what) {
    if (shard.of() > steps) {
      throw new ParameterException(
          command.commandLine(),
          "--shard " + shard + ": " + steps + " " + what + " are too few for so many parts");
    }
    if (file != null) {
      OutputFile.probe(command.commandLine(), file);
    }
    return shard;
  }

  /** Writes the totals to the file of the option, if it was given. */
  public void write(RunTotals totals) {
    if (file != null) {
      OutputFile.write(file, totals.json());
    }
  }
}

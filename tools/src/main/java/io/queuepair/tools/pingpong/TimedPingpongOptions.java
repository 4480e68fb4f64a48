// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of the ping-pongs that take the time: how many exchanges, and what is checked. */
final class TimedPingpongOptions {
  @Option(
      order = -14,
      names = {"-r", "--rx-depth"},
      paramLabel = "COUNT",
      defaultValue = "500",
      description = "Receives to post at a time (default ${DEFAULT-VALUE}).")
  int rxDepth;

  @Option(
      order = -13,
      names = {"-n", "--iters"},
      paramLabel = "COUNT",
      defaultValue = "1000",
      description = "Number of exchanges (default ${DEFAULT-VALUE}).")
  int iterations;

  @Option(
      order = -9,
      names = {"-c", "--chk"},
      description = "Validate the received buffer; the server does, and the client marks it.")
  boolean checksData;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("rx-depth", rxDepth, 1, Integer.MAX_VALUE - 1);
    rangeChecks.require("iters", iterations, 1, Integer.MAX_VALUE);
  }
}

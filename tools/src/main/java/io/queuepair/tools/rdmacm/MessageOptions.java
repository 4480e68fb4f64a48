// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** How much the programs that move messages move: the same on both sides. */
final class MessageOptions {
  private static final int MOST_CONNECTIONS = 65_535;

  @Option(
      order = -16,
      names = "-c",
      paramLabel = "COUNT",
      defaultValue = "1",
      description = "Queue pairs of each side (default ${DEFAULT-VALUE}).")
  int connections;

  @Option(
      order = -15,
      names = "-C",
      paramLabel = "COUNT",
      defaultValue = "10",
      description = "Messages of each queue pair, 0 for none (default ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      order = -14,
      names = "-S",
      paramLabel = "BYTES",
      defaultValue = "100",
      description = "Size of each message, 0 for no messages (default ${DEFAULT-VALUE}).")
  int size;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("connections", connections, 1, MOST_CONNECTIONS);
    rangeChecks.require("message count", count, 0, Integer.MAX_VALUE);
    rangeChecks.require("message size", size, 0, 1 << 30);
  }

  /** How many messages each queue pair carries in one direction. */
  int count() {
    return size == 0 ? 0 : count;
  }
}

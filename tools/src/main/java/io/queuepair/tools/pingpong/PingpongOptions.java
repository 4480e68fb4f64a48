// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.PeerOptions;
import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that all ping-pongs have. */
final class PingpongOptions {
  private static final int MAX_SERVICE_LEVEL = 15;

  @Mixin PeerOptions side = new PeerOptions();

  @Option(
      order = -16,
      names = {"-s", "--size"},
      paramLabel = "BYTES",
      defaultValue = "4096",
      description = "Size of the message to exchange (default ${DEFAULT-VALUE}).")
  int size;

  @Option(
      order = -12,
      names = {"-l", "--sl"},
      paramLabel = "LEVEL",
      defaultValue = "0",
      description = "Service level, 0 to 15 (default ${DEFAULT-VALUE}).")
  int serviceLevel;

  @Option(
      order = -11,
      names = {"-e", "--events"},
      description = "Sleep on CQ events (default: poll).")
  boolean usesEvents;

  @Option(
      order = -10,
      names = {"-g", "--gid-idx"},
      paramLabel = "INDEX",
      defaultValue = "0",
      description =
          "Index of the own GID (default ${DEFAULT-VALUE}: the address of --bind. The original has"
              + " no default: start it with -g and the index of its IPv4 or IPv6 GID).")
  int gidIndex;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    side.check(command);
    RangeChecks rangeChecks = new RangeChecks(command);
    rangeChecks.require("size", size, 1, Integer.MAX_VALUE);
    rangeChecks.require("service level", serviceLevel, 0, MAX_SERVICE_LEVEL);
    rangeChecks.require("GID index", gidIndex, 0, Integer.MAX_VALUE);
  }
}

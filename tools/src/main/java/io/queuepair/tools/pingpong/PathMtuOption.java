// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.Mtu;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The option of the ping-pongs with a connection: how long its packets are. */
final class PathMtuOption {
  @Option(
      order = -15,
      names = {"-m", "--mtu"},
      paramLabel = "BYTES",
      defaultValue = "1024",
      description = "Path MTU: 256, 512, 1024, 2048 or 4096 (default ${DEFAULT-VALUE}).")
  private int mtuBytes;

  /** Refuses what is no MTU. */
  void check(CommandLine command) {
    try {
      Mtu.ofBytes(mtuBytes);
    } catch (IllegalArgumentException none) {
      throw new ParameterException(command, none.getMessage(), none);
    }
  }

  Mtu mtu() {
    return Mtu.ofBytes(mtuBytes);
  }
}

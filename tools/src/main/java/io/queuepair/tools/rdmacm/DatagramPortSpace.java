// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.rdmacm;

import io.queuepair.rdmacm.RdmaPortSpace;
import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The port space of udaddy and mckey, by number. */
final class DatagramPortSpace {
  @Option(
      order = -12,
      names = "-p",
      paramLabel = "SPACE",
      defaultValue = "0x111",
      description = "Port space: 0x111 is UDP, 0x2 is IPOIB (default ${DEFAULT-VALUE}).")
  private int code;

  /** Refuses others. */
  void check(CommandLine command) {
    new RangeChecks(command)
        .require(
            code == RdmaPortSpace.UDP.code() || code == RdmaPortSpace.IPOIB.code(),
            String.format("port space 0x%x is neither 0x111 (UDP) nor 0x2 (IPOIB)", code));
  }

  RdmaPortSpace space() {
    return code == RdmaPortSpace.IPOIB.code() ? RdmaPortSpace.IPOIB : RdmaPortSpace.UDP;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.AckTimeoutCode;
import io.queuepair.tools.cli.RangeChecks;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option of the ping-pongs whose messages are acknowledged. */
final class AckTimeoutOption {
  @Option(
      order = -6,
      names = "--ack-timeout",
      paramLabel = "CODE",
      description = {
        "Local ACK timeout code, 0 to 31: 4.096 us times 2 to that power; 0 waits for ever",
        "(default: $$QUEUEPAIR_ACK_TIMEOUT, else 14, which is 67 ms)."
      })
  private String given;

  /** What it comes to, after {@link #check}. */
  int code;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    code = AckTimeoutCode.code(new RangeChecks(command), given, System.getenv());
  }
}

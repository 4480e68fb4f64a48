package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.Limits;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option of the ping-pongs whose messages are acknowledged. */
final class AckTimeoutOption {
  private static final int MAX_CODE = 31;

  @Option(
      order = -6,
      names = "--ack-timeout",
      paramLabel = "CODE",
      defaultValue = "${env:QUEUEPAIR_ACK_TIMEOUT:-14}",
      description = {
        "Local ACK timeout code, 0 to 31: 4.096 us times 2 to that power; 0 waits for ever",
        "(default: $$QUEUEPAIR_ACK_TIMEOUT, else 14, which is 67 ms)."
      })
  int code;

  /** Refuses values out of range. */
  void check(CommandLine command) {
    new Limits(command).require("ACK timeout code", code, 0, MAX_CODE);
  }
}

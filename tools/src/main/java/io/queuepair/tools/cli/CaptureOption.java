// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.observe.PcapngCapture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Option {@code --pcap} of commands with traffic: writes their packets to a capture file. */
public final class CaptureOption {
  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description = "Write every packet to this file, for Wireshark or queuepair decode (pcapng).")
  private Path file;

  /** Reason why the capture is incomplete, or null; set by the thread that writes the file. */
  private volatile IOException earlyEnd;

  public boolean isWanted() {
    return file != null;
  }

  /** Message about packets missing in the file; empty if none, or if a pipe was closed. */
  public Optional<String> trouble() {
    IOException cause = earlyEnd;
    return cause == null || ErrorReporter.isReaderGone(cause)
        ? Optional.empty()
        : Optional.of("the capture " + file + " ends early: " + ErrorReporter.why(cause));
  }

  /** Captures the packets, if the option is given; closing the result closes the network. */
  public Fabric around(Fabric fabric) {
    if (file == null) {
      return fabric;
    }
    Fabric captured = null;
    try {
      captured = PcapngCapture.to(file, fabric, cause -> earlyEnd = cause);
      return captured;
    } finally {
      if (captured == null) {
        fabric.close();
      }
    }
  }
}

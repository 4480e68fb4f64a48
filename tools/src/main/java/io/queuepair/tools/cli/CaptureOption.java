// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.observe.PcapngCapture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --pcap} of every command that makes traffic: writes its packets to a capture file. */
public final class CaptureOption {
  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description = "Write every packet to this file, for Wireshark or queuepair decode (pcapng).")
  private Path file;

  /** Why the capture is not complete, or null; noted by whichever thread writes it. */
  private volatile IOException earlyEnd;

  public boolean isWanted() {
    return file != null;
  }

  /**
   * What to say of packets that are missing; empty if all are there, or if the reader of a pipe has
   * gone.
   */
  public Optional<String> trouble() {
    IOException cause = earlyEnd;
    return cause == null || ErrorReporter.isReaderGone(cause)
        ? Optional.empty()
        : Optional.of("the capture " + file + " ends early: " + ErrorReporter.why(cause));
  }

  /**
   * Captures a network, if that is wanted. Closing what is returned closes the network; it is
   * closed, too, if the file cannot be written.
   */
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

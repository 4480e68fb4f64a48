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

  /** Creates the option, to be filled by picocli; without a file nothing is captured. */
  public CaptureOption() {}

  /**
   * Whether a capture is wanted.
   *
   * @return true if a file was named
   */
  public boolean isWanted() {
    return file != null;
  }

  /**
   * Whether packets are missing.
   *
   * @return what to say about it; empty if all are there, or if the reader of a pipe has gone
   */
  public Optional<String> trouble() {
    IOException cause = earlyEnd;
    return cause == null || ErrorReporter.isReaderGone(cause)
        ? Optional.empty()
        : Optional.of("the capture " + file + " ends early: " + ErrorReporter.why(cause));
  }

  /**
   * Captures a network, if that is wanted.
   *
   * @param fabric the network
   * @return the network to attach devices to, which closes the other
   * @throws io.queuepair.emulator.fabric.FabricException if the file cannot be written; the network
   *     is closed then
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

package io.queuepair.tools.cli;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.PcapngCapture;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --pcap} of every command that makes traffic: writes its packets to a capture file. */
public final class CaptureOption {
  @Option(
      names = "--pcap",
      paramLabel = "FILE",
      description = "Write every packet to this file, for Wireshark or queuepair decode (pcapng).")
  private Path file;

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
      captured = PcapngCapture.to(file, fabric);
      return captured;
    } finally {
      if (captured == null) {
        fabric.close();
      }
    }
  }
}

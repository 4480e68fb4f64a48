// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.observe;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.fabric.Scheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes the packets of a network to a file that Wireshark and tcpdump read (pcapng). The frames
 * are those of a real wire: Ethernet, IP and UDP headers, and an ICRC that covers exactly these.
 * Each packet is in the file once, in the order of sending, or of arrival if it was sent elsewhere;
 * each address is an interface, and the flags of each frame tell whether it was sent or received
 * there. Virtual time begins at 1970; real time is that of the wall clock.
 */
public final class PcapngCapture {
  private PcapngCapture() {}

  /**
   * Captures a network. A packet is written when a device of the network has accepted or dropped
   * it; one to another destination, when it is sent. The file is readable even if the process ends
   * without {@link Fabric#close}, as what is written is never changed. If writing fails later, a
   * warning is logged, the capture ends with the last whole packet, and the network continues.
   *
   * @param file created, or overwritten
   * @param fabric the network
   * @return the network to attach devices to; closing it closes {@code fabric} and the file
   * @throws FabricException if the file cannot be written
   */
  public static Fabric to(Path file, Fabric fabric) {
    return to(file, fabric, PcapngRecorder::warn);
  }

  /**
   * Captures a network as {@link #to(Path, Fabric)} does, and calls a listener instead of logging.
   *
   * @param file created, or overwritten
   * @param fabric the network
   * @param onEarlyEnd called if writing fails later, at most once, by whichever thread writes; must
   *     not call anything of the emulator
   * @return the network to attach devices to; closing it closes {@code fabric} and the file
   * @throws FabricException if the file cannot be written
   */
  public static Fabric to(Path file, Fabric fabric, Consumer<IOException> onEarlyEnd) {
    try {
      PcapngWriter writer = PcapngWriter.create(file);
      PcapngRecorder recorder =
          new PcapngRecorder(writer, epochOffset(fabric.scheduler()), onEarlyEnd);
      return fabric.observed(f -> new ObservedFabric(f, recorder));
    } catch (IOException e) {
      String reason = CaptureInput.reasonOf(e);
      throw new FabricException(
          "The capture file " + file + " cannot be written: " + reason + ".", e);
    }
  }

  /** Offset from the time of a scheduler to nanoseconds since 1970. */
  private static long epochOffset(Scheduler scheduler) {
    return switch (scheduler.progressMode()) {
      case VIRTUAL -> 0;
      case CALLER_DRIVEN, BACKGROUND -> wallClockNanos() - scheduler.nowNanos();
    };
  }

  private static long wallClockNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }
}

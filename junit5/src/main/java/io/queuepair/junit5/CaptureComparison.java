// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.fabric.FabricException;
import io.queuepair.emulator.observe.CaptureFile;
import io.queuepair.emulator.observe.PacketRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the captures of two runs with the same seed. */
final class CaptureComparison {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureComparison.class);
  private static final String CAUSES =
      """
      what the test does is not all in the seed. What is often the cause:
        System.nanoTime, currentTimeMillis and Instant.now: Emulator.now is the time of the network
        ThreadLocalRandom, Math.random, UUID.randomUUID, a Random without the seed (@Seed long)
        identity hash codes, as in the order of a HashSet or HashMap of objects without hashCode
        parallel streams, and threads that the emulator has not started
        garbage collection: Cleaner, finalizers, weak and soft references
        what the first run has left behind in static fields, files or caches""";

  private CaptureComparison() {}

  static byte[] read(Path capture) {
    try {
      return Files.readAllBytes(capture);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + capture, e);
    }
  }

  /**
   * Compares two captures.
   *
   * @param nonDeterminism what the threads of the second run have waited for outside of the
   *     emulator
   * @return the first packet that differs and likely causes, or empty if the bytes are the same
   */
  static Optional<String> difference(byte[] first, byte[] second, List<String> nonDeterminism) {
    if (Arrays.equals(first, second)) {
      return Optional.empty();
    }
    int common = Arrays.mismatch(first, second);
    int same = packets(Arrays.copyOf(first, common)).size();
    String one = describe(packets(first), same);
    String other = describe(packets(second), same);
    String where = one.equals(other) ? " in its payload:" : ":";
    StringBuilder text = new StringBuilder("packet ").append(same + 1).append(" differs");
    text.append(where).append("\n  first run:  ").append(one);
    text.append("\n  second run: ").append(other).append('\n').append(CAUSES);
    nonDeterminism.forEach(line -> text.append("\n  ").append(line.replace("\n", "\n  ")));
    return Optional.of(text.toString());
  }

  /** Complete packets of a capture; a packet cut off at its end is left out. */
  private static List<PacketRecord> packets(byte[] capture) {
    List<PacketRecord> packets = new ArrayList<>();
    try (CaptureFile file = CaptureFile.read("capture", new ByteArrayInputStream(capture))) {
      for (Optional<PacketRecord> next = file.next(); next.isPresent(); next = file.next()) {
        packets.add(next.get());
      }
    } catch (FabricException cut) {
      LOG.trace("Compares what comes before: {}", cut.getMessage());
    }
    return packets;
  }

  private static String describe(List<PacketRecord> packets, int index) {
    if (index >= packets.size()) {
      return "none, it has " + packets.size() + " packets";
    }
    PacketRecord packet = packets.get(index);
    return "at %d ns, %s ---> %s, %s"
        .formatted(
            packet.epochNanos(),
            packet.source().getHostAddress(),
            packet.destination().getHostAddress(),
            packet.text());
  }
}

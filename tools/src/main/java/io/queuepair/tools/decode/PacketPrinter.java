// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.queuepair.emulator.observe.LadderLayout;
import io.queuepair.emulator.observe.PacketRecord;
import io.queuepair.emulator.observe.PacketRecord.Integrity;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Formats packets as lines, as a ladder diagram, or as JSON. */
final class PacketPrinter {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final ObjectMapper json = new ObjectMapper();
  private final LadderLayout layout = new LadderLayout();

  /** Time of the first packet, to which times are relative; null before it. */
  private Long originNanos;

  String line(PacketRecord packet) {
    long nanos = sinceOrigin(packet);
    return String.format(
        Locale.ROOT,
        "%5d %d.%09d %s -> %s  %s",
        packet.frameNumber(),
        nanos / NANOS_PER_SECOND,
        nanos % NANOS_PER_SECOND,
        packet.source().getHostAddress(),
        packet.destination().getHostAddress(),
        packet.text() + ", length " + packet.length() + verdict(packet, true) + comments(packet));
  }

  String ladder(PacketRecord packet) {
    return layout.line(
        sinceOrigin(packet),
        packet.source(),
        packet.destination(),
        packet.text() + verdict(packet, false) + comments(packet));
  }

  /** Nanoseconds since the first packet; 0 for an earlier one, of another interface. */
  private long sinceOrigin(PacketRecord packet) {
    if (originNanos == null) {
      originNanos = packet.epochNanos();
    }
    return Math.max(0, packet.epochNanos() - originNanos);
  }

  private static String verdict(PacketRecord packet, boolean saysOk) {
    return switch (packet.integrity()) {
      case ICRC_OK ->
          (saysOk ? ", ICRC ok" : "") + (packet.isReproduced() ? "" : ", not canonical");
      case ICRC_BAD -> ", ICRC bad";
      case MALFORMED -> "";
    };
  }

  /** Comments of a packet, without those that repeat the line in captures of the emulator. */
  private static String comments(PacketRecord packet) {
    StringBuilder text = new StringBuilder();
    packet.comments().stream()
        .filter(comment -> !packet.text().endsWith(comment))
        .forEach(comment -> text.append("  # ").append(printable(comment)));
    return text.toString();
  }

  /** Replaces control characters: text from a peer must not control the terminal. */
  private static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", " ");
  }

  String json(PacketRecord packet) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("frame", packet.frameNumber());
    object.put("time", Instant.ofEpochSecond(0, packet.epochNanos()).toString());
    object.put("source", packet.source().getHostAddress());
    object.put("destination", packet.destination().getHostAddress());
    object.put("source_port", packet.sourcePort());
    object.putAll(packet.fields());
    object.put("length", packet.length());
    switch (packet.integrity()) {
      case ICRC_OK -> object.put("icrc", "ok");
      case ICRC_BAD -> object.put("icrc", "bad");
      case MALFORMED -> object.put("malformed", packet.text());
    }
    if (packet.integrity() != Integrity.MALFORMED) {
      object.put("reencoded_identical", packet.isReproduced());
    }
    if (!packet.comments().isEmpty()) {
      object.put("comments", packet.comments());
    }
    return json(object);
  }

  String json(Map<String, Object> object) {
    try {
      return json.writeValueAsString(object);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("numbers and text are JSON", impossible);
    }
  }
}

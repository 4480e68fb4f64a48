// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.tools.recording.RecordedDevice;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/** Events of the connection manager in words. */
final class CmEventText {
  private CmEventText() {}

  /** Takes and acknowledges all events; the id of a request gets a name. */
  static void takeAll(ScenarioEnvironment environment, RecordedDevice party) {
    Optional<RdmaCmEvent> next = environment.cmChannel(party).getCmEvent(Duration.ZERO);
    if (next.isEmpty()) {
      environment.transcript().add("nothing");
    }
    while (next.isPresent()) {
      try (RdmaCmEvent event = next.get()) {
        if (event.event() == RdmaCmEventType.CONNECT_REQUEST) {
          party.put(freeName(party), event.id());
        }
        environment.transcript().add(textOf(party, event));
        if (!event.explain().isEmpty()) {
          environment.transcript().add("  why: " + event.explain());
        }
      }
      next = environment.cmChannel(party).getCmEvent(Duration.ZERO);
    }
  }

  /** The first request is {@code request}, the second {@code request2}. */
  private static String freeName(RecordedDevice party) {
    String name = "request";
    for (int number = 2; party.has(name); number++) {
      name = "request" + number;
    }
    return name;
  }

  private static String textOf(RecordedDevice party, RdmaCmEvent event) {
    StringBuilder text = new StringBuilder();
    text.append(event.event()).append(" of ").append(party.name()).append('.');
    text.append(party.nameOf(event.id()));
    if (event.status() != 0) {
      text.append(", status ").append(event.status());
    }
    if (event.conn() != null) {
      appendBytes(text, event.conn().privateData());
    }
    if (event.ud() != null) {
      if (event.ud().qpNum() != 0) {
        text.append(
            String.format(
                Locale.ROOT, ", qp 0x%06x, qkey 0x%08x", event.ud().qpNum(), event.ud().qkey()));
      }
      appendBytes(text, event.ud().privateData());
    }
    return text.toString();
  }

  /** Without the zeros behind, since the size of the field is all that they say. */
  private static void appendBytes(StringBuilder text, ByteBuffer bytes) {
    byte[] all = new byte[bytes.remaining()];
    bytes.duplicate().get(all);
    int length = all.length;
    while (length > 0 && all[length - 1] == 0) {
      length--;
    }
    if (length == 0) {
      return;
    }
    String latin = new String(all, 0, length, StandardCharsets.ISO_8859_1);
    boolean isText = latin.chars().allMatch(c -> c >= ' ' && c <= '~');
    text.append(", private data ")
        .append(isText ? '"' + latin + '"' : HexFormat.of().formatHex(all, 0, length));
  }
}

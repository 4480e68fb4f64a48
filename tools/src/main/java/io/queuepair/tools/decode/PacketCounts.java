// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.decode;

import io.queuepair.emulator.observe.PacketRecord;
import java.util.LinkedHashMap;
import java.util.Map;

/** Counts packets by kind. */
final class PacketCounts {
  private long packets;
  private long icrcOk;
  private long icrcBad;
  private long malformed;
  private long reencodedIdentical;

  void add(PacketRecord packet) {
    packets++;
    switch (packet.integrity()) {
      case ICRC_OK -> icrcOk++;
      case ICRC_BAD -> icrcBad++;
      case MALFORMED -> malformed++;
    }
    reencodedIdentical += packet.isReproduced() ? 1 : 0;
  }

  Map<String, Object> toMap() {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("packets", packets);
    counts.put("icrc_ok", icrcOk);
    counts.put("icrc_bad", icrcBad);
    counts.put("malformed", malformed);
    counts.put("reencoded_identical", reencodedIdentical);
    return counts;
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder();
    toMap()
        .forEach(
            (name, count) -> line.append(line.isEmpty() ? "" : " ").append(name + "=" + count));
    return line.toString();
  }
}

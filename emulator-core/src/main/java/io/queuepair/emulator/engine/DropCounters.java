package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.DropReason;
import java.util.EnumMap;
import java.util.Map;

/** How many packets were dropped, by reason. */
public final class DropCounters {
  private final Map<DropReason, Long> counts = new EnumMap<>(DropReason.class);

  public void count(DropReason reason) {
    counts.merge(reason, 1L, Long::sum);
  }

  public long of(DropReason reason) {
    return counts.getOrDefault(reason, 0L);
  }

  /** All reasons that occurred. */
  public Map<DropReason, Long> toMap() {
    return new EnumMap<>(counts);
  }
}

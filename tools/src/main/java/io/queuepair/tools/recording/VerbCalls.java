// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.recording;

import java.util.LinkedHashMap;
import java.util.Map;

/** Operations of all verbs, by their names without the prefix {@code ibv_}. */
public final class VerbCalls {
  private VerbCalls() {}

  /** {@return the operations by name, as a new map} */
  public static Map<String, Op> all() {
    Map<String, Op> ops = new LinkedHashMap<>();
    ObjectOps.addTo(ops);
    MemoryOps.addTo(ops);
    WindowOps.addTo(ops);
    QueuePairOps.addTo(ops);
    WorkOps.addTo(ops);
    EventOps.addTo(ops);
    DeviceOps.addTo(ops);
    BatchOps.addTo(ops);
    return ops;
  }
}

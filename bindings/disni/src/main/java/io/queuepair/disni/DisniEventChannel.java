// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.RdmaEventChannel;
import io.queuepair.rdmacm.RdmaCmId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** An event channel, which knows DiSNI's id for each id of its events. Thread-safe. */
final class DisniEventChannel extends RdmaEventChannel {
  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final io.queuepair.rdmacm.RdmaEventChannel channel;
  private final DisniContexts contexts;
  private final Map<RdmaCmId, DisniCmId> ids = new HashMap<>();

  DisniEventChannel(io.queuepair.rdmacm.RdmaEventChannel channel, DisniContexts contexts)
      throws IOException {
    super(NUMBERS.incrementAndGet());
    this.channel = channel;
    this.contexts = contexts;
  }

  io.queuepair.rdmacm.RdmaEventChannel channel() {
    return channel;
  }

  /**
   * DiSNI's id for an id of the connection manager.
   *
   * @param id an id, or null
   * @return the same one for each id, null for null
   */
  DisniCmId idOf(RdmaCmId id) throws IOException {
    if (id == null) {
      return null;
    }
    synchronized (ids) {
      DisniCmId known = ids.get(id);
      if (known == null) {
        known = new DisniCmId(this, id, contexts);
        ids.put(id, known);
      }
      return known;
    }
  }

  /** An id is destroyed. */
  void remove(RdmaCmId id) {
    synchronized (ids) {
      ids.remove(id);
    }
  }
}

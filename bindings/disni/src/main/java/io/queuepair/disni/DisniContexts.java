// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import io.queuepair.verbs.Context;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * One DiSNI context for each opened device. DiSNI caches domains and queues by the file descriptor
 * of the context, so that each has a number of its own. Thread-safe.
 */
final class DisniContexts {
  private final Map<Context, DisniContext> contexts = new HashMap<>();

  /**
   * DiSNI's context for an opened device.
   *
   * @param context an opened device, or null
   * @return the same one for each device, null for null
   */
  synchronized DisniContext of(Context context) throws IOException {
    if (context == null) {
      return null;
    }
    DisniContext known = contexts.get(context);
    if (known == null) {
      known = new DisniContext(contexts.size() + 1, context);
      contexts.put(context, known);
    }
    return known;
  }
}

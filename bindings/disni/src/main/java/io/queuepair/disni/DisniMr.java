// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import io.queuepair.verbs.MemoryRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * A memory region. The program's buffer is held until it is deregistered: programs drop their
 * buffers and their regions, whose pages an adapter would keep.
 */
final class DisniMr extends IbvMr {
  /** The buffers of all regions that are registered, by the region. */
  private static final Map<MemoryRegion, ByteBuffer> PINNED =
      Collections.synchronizedMap(new IdentityHashMap<>());

  private final MemoryRegion region;

  DisniMr(IbvContext context, MemoryRegion region, int access, ByteBuffer pinned)
      throws IOException {
    super(
        context,
        region.addr(),
        region.length(),
        access,
        region.lkey(),
        region.rkey(),
        region.lkey());
    this.region = region;
    if (pinned != null) {
      PINNED.put(region, pinned);
    }
  }

  /** Ends the registration. */
  void deregister() throws IOException {
    DisniErrors.run("deregMr", region::close);
    close();
    PINNED.remove(region);
  }
}

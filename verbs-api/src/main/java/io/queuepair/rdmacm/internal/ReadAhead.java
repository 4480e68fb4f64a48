// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm.internal;

import io.queuepair.rdmacm.RdmaCmEvent;
import io.queuepair.rdmacm.RdmaEventChannel;

/**
 * A host whose events can be taken before the program reads them. A request counts for the backlog
 * of its listener until it is read, as it does in the kernel.
 */
public interface ReadAhead {
  /**
   * Creates a channel whose events are taken ahead.
   *
   * @return the channel
   */
  RdmaEventChannel createReadAheadChannel();

  /**
   * Says that the program reads a request that was taken ahead.
   *
   * @param request an event of such a channel
   */
  void read(RdmaCmEvent request);
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.rdmacm.RdmaCm;

/**
 * Numbers of objects in the connection manager of a host; programs cannot query them.
 *
 * @param ends ends of connections, including those in time-wait or waiting for an answer
 */
public record CmCounts(int ids, int ends) {
  public static CmCounts of(RdmaCm cm) {
    EmulatedHost emulated = (EmulatedHost) cm;
    return new CmCounts(emulated.idCount(), emulated.endCount());
  }

  public boolean isEmpty() {
    return ids == 0 && ends == 0;
  }
}

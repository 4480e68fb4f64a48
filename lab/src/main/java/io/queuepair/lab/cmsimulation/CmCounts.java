// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.rdmacm.EmulatedHost;
import io.queuepair.rdmacm.RdmaCm;

/**
 * Objects in the connection manager of a host, which programs cannot see.
 *
 * @param ends ends of connections, also such as only wait for their end
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

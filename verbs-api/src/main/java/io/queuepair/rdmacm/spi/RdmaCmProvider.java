// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm.spi;

import io.queuepair.rdmacm.RdmaCm;
import java.util.Optional;

/** Offers a connection manager to {@link RdmaCm#find}; found by the service loader. */
public interface RdmaCmProvider {
  /**
   * The connection manager of the devices that this provider has now.
   *
   * @return the same object at every call; empty if there are no devices
   */
  Optional<RdmaCm> rdmaCm();
}

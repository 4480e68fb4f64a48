// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs.spi;

import io.queuepair.verbs.Device;
import java.util.List;

/** Offers devices to {@link io.queuepair.verbs.Verbs#devices()}; found by the service loader. */
public interface VerbsProvider {
  /**
   * The devices this provider has now.
   *
   * @return the same objects at every call, possibly none
   */
  List<Device> devices();
}

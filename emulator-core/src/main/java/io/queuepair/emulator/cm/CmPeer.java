// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;

/**
 * The other end of messages: by which device of this host it is reached, and where it is.
 *
 * @param device number of the device, as the layer above counts them
 * @param ahAttr what is sent goes there
 */
public record CmPeer(int device, AhAttr ahAttr) {
  /** Its GID. */
  public Gid gid() {
    return ahAttr.grh().dgid();
  }

  /** In words. */
  @Override
  public String toString() {
    return gid().toAddress().getHostAddress();
  }
}

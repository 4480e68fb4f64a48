// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Gid;

/**
 * Address of a peer, and the device of this host that reaches it.
 *
 * @param device index of the device in the list of the layer above
 * @param ahAttr destination of messages to the peer
 */
public record CmPeer(int device, AhAttr ahAttr) {
  public Gid gid() {
    return ahAttr.grh().dgid();
  }

  /** IP address that the GID stands for. */
  @Override
  public String toString() {
    return gid().toAddress().getHostAddress();
  }
}

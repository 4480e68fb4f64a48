// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

import org.jspecify.annotations.Nullable;

/**
 * An address vector: how to reach a peer ({@code struct ibv_ah_attr}). RoCE addresses by GID only,
 * so there is no LID, and an address vector that is not global is refused.
 *
 * @param grh the global route; null if there is none
 * @param sl service level, 0 to 15
 * @param portNum number of the local port, from 1
 */
public record AhAttr(@Nullable GlobalRoute grh, int sl, int portNum) {
  /**
   * The address vector of a peer, from GID index 0 of port 1.
   *
   * @param dgid GID of the peer
   * @return the address vector
   */
  public static AhAttr to(Gid dgid) {
    return new AhAttr(GlobalRoute.to(dgid, 0), 0, 1);
  }

  /**
   * A copy that leaves by another port.
   *
   * @param port number of the local port, from 1
   * @return a new address vector
   */
  public AhAttr fromPort(int port) {
    return new AhAttr(grh, sl, port);
  }

  /** {@return whether there is a global route ({@code is_global})} */
  public boolean isGlobal() {
    return grh != null;
  }
}

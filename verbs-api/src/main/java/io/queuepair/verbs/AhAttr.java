package io.queuepair.verbs;

/**
 * An address vector: how to reach a peer ({@code struct ibv_ah_attr}). RoCE addresses by GID only,
 * so {@code is_global} is always set and there is no LID.
 *
 * @param grh the global route
 * @param sl service level, 0 to 15
 * @param portNum number of the local port, from 1
 */
public record AhAttr(GlobalRoute grh, int sl, int portNum) {
  /**
   * The address vector of a peer, from GID index 0 of port 1.
   *
   * @param dgid GID of the peer
   * @return the address vector
   */
  public static AhAttr to(Gid dgid) {
    return new AhAttr(GlobalRoute.to(dgid, 0), 0, 1);
  }
}

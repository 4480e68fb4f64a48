// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * The route to a peer by GID ({@code struct ibv_global_route}).
 *
 * @param dgid GID of the peer
 * @param flowLabel 20-bit flow label; on RoCE it chooses the UDP source port
 * @param sgidIndex index of the own GID in the table of the port
 * @param hopLimit hop limit (TTL), 0 to 255; 0 means the default of the device
 * @param trafficClass traffic class (TOS), 0 to 255
 */
public record GlobalRoute(Gid dgid, int flowLabel, int sgidIndex, int hopLimit, int trafficClass) {
  /**
   * A route with default flow label, hop limit 64 and traffic class 0.
   *
   * @param dgid GID of the peer
   * @param sgidIndex index of the own GID
   * @return the route
   */
  public static GlobalRoute to(Gid dgid, int sgidIndex) {
    return new GlobalRoute(dgid, 0, sgidIndex, 64, 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.Gid;
import io.queuepair.verbs.Mtu;

/**
 * The way to a peer, as far as RoCE has one ({@code struct ibv_path_data}, {@code id->route}).
 *
 * @param sgid own GID
 * @param dgid GID of the peer
 * @param mtu path MTU
 * @param pkey P_Key, unsigned 16-bit
 * @param flowLabel flow label, 20-bit
 * @param trafficClass traffic class (TOS), 0 to 255
 * @param hopLimit hop limit (TTL), 0 to 255
 * @param packetLifeTime code of the time for which a packet may be on its way, 0 to 31: 4.096
 *     microseconds times 2 to that power
 */
public record RdmaPath(
    Gid sgid,
    Gid dgid,
    Mtu mtu,
    int pkey,
    int flowLabel,
    int trafficClass,
    int hopLimit,
    int packetLifeTime) {
  /**
   * A copy with another path MTU.
   *
   * @param newMtu path MTU
   * @return a new path
   */
  public RdmaPath withMtu(Mtu newMtu) {
    return new RdmaPath(
        sgid, dgid, newMtu, pkey, flowLabel, trafficClass, hopLimit, packetLifeTime);
  }
}

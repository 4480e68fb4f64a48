// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * The path that a connection migrates to when its primary one fails: what {@link
 * QpAttrMask#ALT_PATH} stands for ({@code alt_ah_attr}, {@code alt_pkey_index}, {@code
 * alt_port_num} and {@code alt_timeout} of {@code struct ibv_qp_attr}).
 *
 * @param ahAttr address vector of the peer
 * @param pkeyIndex index into the P_Key table of that port
 * @param portNum number of the local port, from 1; that of the address vector
 * @param timeout local ACK timeout code, 0 to 31, see {@link QpAttr#timeout(int)}
 */
public record AlternatePath(AhAttr ahAttr, int pkeyIndex, int portNum, int timeout) {
  /**
   * The path of an address vector, with P_Key index 0.
   *
   * @param ahAttr address vector of the peer, which also says the port
   * @param timeout local ACK timeout code, 0 to 31
   * @return the path
   */
  public static AlternatePath to(AhAttr ahAttr, int timeout) {
    return new AlternatePath(ahAttr, 0, ahAttr.portNum(), timeout);
  }
}

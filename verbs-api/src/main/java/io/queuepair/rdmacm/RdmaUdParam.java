// SPDX-License-Identifier: Apache-2.0
package io.queuepair.rdmacm;

import io.queuepair.verbs.AhAttr;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where datagrams go: to a peer, or to a multicast group ({@code struct rdma_ud_param}).
 *
 * @param privateData bytes of the program of the peer, the whole field with zeros at its end: 180
 *     bytes of a request, 136 of an answer. Read-only
 * @param ahAttr what an address handle is made of; null in a request
 * @param qpNum number of the queue pair, 24-bit; 0xFFFFFF of a group
 * @param qkey its Q_Key
 */
public record RdmaUdParam(ByteBuffer privateData, @Nullable AhAttr ahAttr, int qpNum, int qkey) {
  /** The Q_Key of ids of port space UDP, unless they ask for another ({@code RDMA_UDP_QKEY}). */
  public static final int UDP_QKEY = 0x0123_4567;

  /**
   * Copies the private data.
   *
   * @param privateData bytes of the program of the peer, from position to limit
   * @param ahAttr what an address handle is made of; null in a request
   * @param qpNum number of the queue pair, 24-bit; 0xFFFFFF of a group
   * @param qkey its Q_Key
   */
  public RdmaUdParam {
    privateData = RdmaConnParam.copyOf(privateData);
  }

  /** {@return the bytes of the program of the peer, as a read-only view} */
  @Override
  public ByteBuffer privateData() {
    return privateData.duplicate();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.verbs;

/**
 * Which queue pair {@link Context#openQp} opens ({@code struct ibv_qp_open_attr}).
 *
 * @param xrcd XRC domain it belongs to, of the context that opens it
 * @param qpNum its number
 * @param qpType its type: XRC_RECV
 */
public record QpOpenAttr(XrcDomain xrcd, int qpNum, QpType qpType) {
  /**
   * The target of an extended reliable connection.
   *
   * @param xrcd XRC domain it belongs to
   * @param qpNum its number
   * @return the attributes
   */
  public static QpOpenAttr target(XrcDomain xrcd, int qpNum) {
    return new QpOpenAttr(xrcd, qpNum, QpType.XRC_RECV);
  }
}

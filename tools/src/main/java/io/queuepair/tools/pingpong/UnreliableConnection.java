// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.Set;

/**
 * UC: connected, and nothing is acknowledged.
 *
 * @param pathMtu payload of a packet
 */
record UnreliableConnection(Mtu pathMtu) implements PingpongTransport {
  @Override
  public QpType qpType() {
    return QpType.UC;
  }

  @Override
  public void check(int sizeBytes, int activeMtuBytes) {
    if (pathMtu.bytes() > activeMtuBytes) {
      throw new CommandFailure(
          "MTU " + pathMtu.bytes() + " is above the active MTU " + activeMtuBytes);
    }
  }

  @Override
  public QpAttr init() {
    return QpAttr.to(QpState.INIT).pkeyIndex(0).qpAccessFlags(Set.of());
  }

  @Override
  public QpAttr rtr(PeerAddress peer, AhAttr path) {
    return QpAttr.to(QpState.RTR)
        .ahAttr(path)
        .pathMtu(pathMtu)
        .destQpNum(peer.qpn())
        .rqPsn(peer.psn());
  }

  @Override
  public QpAttr rts(int psn) {
    return QpAttr.to(QpState.RTS).sqPsn(psn);
  }
}

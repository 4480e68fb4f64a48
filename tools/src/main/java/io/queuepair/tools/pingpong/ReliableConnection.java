// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpType;

/**
 * RC: what an unreliable connection needs, and what acknowledging needs.
 *
 * @param pathMtu payload of a packet
 * @param ackTimeout local ACK timeout code
 */
record ReliableConnection(Mtu pathMtu, int ackTimeout) implements PingpongTransport {
  @Override
  public QpType qpType() {
    return QpType.RC;
  }

  @Override
  public void check(int sizeBytes, int activeMtuBytes) {
    unreliable().check(sizeBytes, activeMtuBytes);
  }

  @Override
  public QpAttr init() {
    return unreliable().init();
  }

  @Override
  public QpAttr rtr(PeerAddress peer, AhAttr path) {
    return unreliable().rtr(peer, path).maxDestRdAtomic(1).minRnrTimer(12);
  }

  @Override
  public QpAttr rts(int psn) {
    return unreliable().rts(psn).timeout(ackTimeout).retryCnt(7).rnrRetry(7).maxRdAtomic(1);
  }

  UnreliableConnection unreliable() {
    return new UnreliableConnection(pathMtu);
  }
}

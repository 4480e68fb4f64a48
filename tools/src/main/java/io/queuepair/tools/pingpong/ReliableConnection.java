// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpType;
import java.time.Duration;

/**
 * RC: what an unreliable connection needs, and what acknowledging needs.
 *
 * @param pathMtu payload of a packet
 * @param ackTimeout local ACK timeout code
 */
record ReliableConnection(Mtu pathMtu, int ackTimeout) implements PingpongTransport {
  private static final long ACK_TIMEOUT_UNIT_NANOS = 4_096;

  /** A device may wait four times its ACK timeout: two retries of the peer. */
  private static final int LINGER_ACK_TIMEOUTS = 8;

  private static final Duration MAX_LINGER = Duration.ofSeconds(1);

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

  @Override
  public Duration linger() {
    if (ackTimeout == 0) {
      return Duration.ZERO; // The peer sends nothing again.
    }
    Duration wait = Duration.ofNanos(LINGER_ACK_TIMEOUTS * (ACK_TIMEOUT_UNIT_NANOS << ackTimeout));
    return wait.compareTo(MAX_LINGER) < 0 ? wait : MAX_LINGER;
  }

  UnreliableConnection unreliable() {
    return new UnreliableConnection(pathMtu);
  }
}

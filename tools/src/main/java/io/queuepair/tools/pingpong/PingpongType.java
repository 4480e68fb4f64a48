// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Mtu;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/** Types of queue pairs for the messages, with their attributes up to RTS. */
enum PingpongType {
  RC,
  UC,
  /** Unreliable datagrams: each message is one packet with its own address. */
  UD,
  /** Reliable connections with a shared receive queue. */
  SRQ,
  XRC;

  /** Q_Key of {@code ibv_ud_pingpong}. */
  private static final int QKEY = 0x11111111;

  private static final int GRH_BYTES = 40;

  /** ACK timeout code of the original programs: 67 ms. */
  private static final int ACK_TIMEOUT = 14;

  /** Wait for two retries of the peer: a device may wait up to four times its ACK timeout. */
  private static final Duration LINGER = Duration.ofNanos(8 * (4_096L << ACK_TIMEOUT));

  QpType qpType() {
    return switch (this) {
      case RC, SRQ -> QpType.RC;
      case UC -> QpType.UC;
      case UD -> QpType.UD;
      case XRC -> QpType.XRC_SEND;
    };
  }

  private boolean isReliable() {
    return this != UC && this != UD;
  }

  /** Refuses sizes that the port cannot transfer. */
  void check(int sizeBytes, Mtu pathMtu, Mtu activeMtu) {
    int most = activeMtu.bytes();
    if (this == UD && sizeBytes > most) {
      throw new CommandFailure(
          "Requested size " + sizeBytes + " is larger than the port MTU (" + most + ")");
    }
    if (this != UD && pathMtu.bytes() > most) {
      throw new CommandFailure("MTU " + pathMtu.bytes() + " is above the active MTU " + most);
    }
  }

  /** Bytes in front of a message in the receive buffer: the GRH of datagrams, otherwise 0. */
  int headroomBytes() {
    return this == UD ? GRH_BYTES : 0;
  }

  QpAttr init() {
    QpAttr attr = QpAttr.to(QpState.INIT).pkeyIndex(0);
    return this == UD ? attr.qkey(QKEY) : attr.qpAccessFlags(Set.of());
  }

  QpAttr rtr(PeerAddress peer, AhAttr path, Mtu pathMtu) {
    QpAttr attr = QpAttr.to(QpState.RTR);
    if (this == UD) {
      return attr;
    }
    attr = attr.ahAttr(path).pathMtu(pathMtu).destQpNum(peer.qpn()).rqPsn(peer.psn());
    return isReliable() ? attr.maxDestRdAtomic(1).minRnrTimer(12) : attr;
  }

  QpAttr rts(int psn) {
    QpAttr attr = QpAttr.to(QpState.RTS).sqPsn(psn);
    return isReliable() ? attr.timeout(ACK_TIMEOUT).retryCnt(7).rnrRetry(7).maxRdAtomic(1) : attr;
  }

  /** Attributes to RTS of an XRC target, which receives and acknowledges, and sends nothing. */
  static QpAttr rtsOfTarget(int psn) {
    return QpAttr.to(QpState.RTS).sqPsn(psn).timeout(ACK_TIMEOUT);
  }

  /** Time for which a side that is done stays, to acknowledge retransmissions of its peer. */
  Duration linger() {
    return this == RC || this == SRQ ? LINGER : Duration.ZERO;
  }

  /** Adds the address to a request for datagrams; returns other requests unchanged. */
  SendWr addressed(SendWr request, PeerAddress peer, Supplier<AddressHandle> handle) {
    return this == UD ? request.to(handle.get(), peer.qpn(), QKEY) : request;
  }
}

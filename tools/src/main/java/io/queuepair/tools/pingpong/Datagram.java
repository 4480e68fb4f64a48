// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.pingpong;

import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.SendWr;
import java.util.function.Supplier;

/** UD: not connected; each message is one packet, and says where it goes. */
record Datagram() implements PingpongTransport {
  /** The Q_Key of {@code ibv_ud_pingpong}. */
  private static final int QKEY = 0x11111111;

  private static final int GRH_BYTES = 40;

  @Override
  public QpType qpType() {
    return QpType.UD;
  }

  @Override
  public void check(int sizeBytes, int activeMtuBytes) {
    if (sizeBytes > activeMtuBytes) {
      throw new CommandFailure(
          "Requested size " + sizeBytes + " is larger than the port MTU (" + activeMtuBytes + ")");
    }
  }

  @Override
  public int headroomBytes() {
    return GRH_BYTES;
  }

  @Override
  public QpAttr init() {
    return QpAttr.to(QpState.INIT).pkeyIndex(0).qkey(QKEY);
  }

  @Override
  public QpAttr rtr(PeerAddress peer, AhAttr path) {
    return QpAttr.to(QpState.RTR);
  }

  @Override
  public QpAttr rts(int psn) {
    return QpAttr.to(QpState.RTS).sqPsn(psn);
  }

  @Override
  public SendWr addressed(SendWr request, PeerAddress peer, Supplier<AddressHandle> handle) {
    return request.to(handle.get(), peer.qpn(), QKEY);
  }
}

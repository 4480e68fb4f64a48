// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AddressHandle;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections between the device under fire and another one that go on working meanwhile: each
 * round brings messages both ways, and over RC a WRITE and the READ of what it wrote.
 */
final class ControlConnections {
  private static final int GRH_BYTES = 40;

  private final List<ControlPair> lanes = new ArrayList<>();
  private int round;

  ControlConnections(Context underFire, Context other) {
    for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
      lanes.add(
          new ControlPair(
              new ControlConnection(underFire, type), new ControlConnection(other, type)));
    }
  }

  /** Posts the work of a round. */
  void start() {
    round++;
    for (ControlPair lane : lanes) {
      lane.post(lane.here, lane.there, round);
      lane.post(lane.there, lane.here, ~round);
      lane.writeAndRead();
    }
  }

  /** The work of the round must be done, and right. */
  void finish() {
    for (ControlPair lane : lanes) {
      lane.verify(round);
    }
  }

  /** Two ends. */
  private static final class ControlPair {
    private final ControlConnection here;
    private final ControlConnection there;
    private final QpType type;

    ControlPair(ControlConnection here, ControlConnection there) {
      this.here = here;
      this.there = there;
      type = here.qp().initAttr().qpType();
      here.connect(there, 0xff_fff0);
      there.connect(here, 0xff_fff0);
    }

    private boolean isDatagram() {
      return type == QpType.UD;
    }

    private int bytes() {
      return isDatagram() ? ControlConnection.BYTES / 2 : ControlConnection.BYTES;
    }

    void post(ControlConnection from, ControlConnection to, int seed) {
      to.qp()
          .postRecv(
              RecvWr.of(1, to.sge(ControlConnection.INBOX, GRH_BYTES + ControlConnection.BYTES)));
      from.fill(ControlConnection.OUTBOX, seed);
      SendWr send = SendWr.send(2, from.sge(ControlConnection.OUTBOX, bytes()));
      QueuePair qp = from.qp();
      if (isDatagram()) {
        AddressHandle ah = from.pd().createAh(AhAttr.to(to.gid()));
        qp.postSend(send.to(ah, to.qp().qpNum(), ControlConnection.QKEY));
        ah.close();
      } else {
        qp.postSend(send);
      }
    }

    void writeAndRead() {
      if (type != QpType.RC) {
        return;
      }
      long addr = here.region().addr() + 3 * 1_024;
      int rkey = here.region().rkey();
      there
          .qp()
          .postSend(SendWr.rdmaWrite(3, addr, rkey, there.sge(ControlConnection.OUTBOX, bytes())));
      there
          .qp()
          .postSend(SendWr.rdmaRead(4, addr, rkey, there.sge(ControlConnection.FETCHED, bytes())));
    }

    void verify(int seed) {
      String during = type + ", round " + seed;
      here.verifyCompletions(2, during);
      there.verifyCompletions(type == QpType.RC ? 4 : 2, during);
      int behind = isDatagram() ? GRH_BYTES : 0;
      here.verifyFilled(ControlConnection.INBOX + behind, ~seed, bytes(), during);
      there.verifyFilled(ControlConnection.INBOX + behind, seed, bytes(), during);
      if (type == QpType.RC) {
        there.verifyFilled(ControlConnection.FETCHED, ~seed, bytes(), during);
      }
    }
  }
}

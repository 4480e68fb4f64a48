// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.AhAttr;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Connections of the device under fire with another one, which work on: each round brings messages
 * both ways, and over RC a WRITE and the READ of what it wrote.
 */
final class Bystanders {
  /** Any but that of the packets: with it, anybody may send to a queue pair of type UD. */
  private static final int QKEY = 0x1111;

  private static final int BYTES = 300;
  private static final int GRH_BYTES = 40;
  private static final int OUTBOX = 1_024;
  private static final int WRITTEN = 2_048;
  private static final int FETCHED = 3_072;
  private static final Set<AccessFlag> ACCESS =
      Set.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

  private final List<End> ends = new ArrayList<>();
  private int round;

  Bystanders(Context here, Context there) {
    for (QpType type : List.of(QpType.RC, QpType.UC, QpType.UD)) {
      End a = new End(here, type);
      End b = new End(there, type);
      a.connect(b);
      b.connect(a);
      ends.addAll(List.of(a, b));
    }
  }

  /** Posts the work of a round, which takes less than 20 us. */
  void start() {
    round++;
    ends.forEach(end -> end.start((byte) (round + ends.indexOf(end))));
  }

  /** Fails unless the work of the round is done and right. */
  void finish() {
    ends.forEach(end -> end.verify((byte) (round + (ends.indexOf(end) ^ 1))));
  }

  /** One end of a connection. */
  private static final class End {
    private final ByteBuffer memory = ByteBuffer.allocateDirect(4_096);
    private final ProtectionDomain pd;
    private final CompletionQueue cq;
    private final QueuePair qp;
    private final MemoryRegion region;
    private final Gid gid;
    private final int payloadAt;
    private End peer;

    End(Context context, QpType type) {
      pd = context.allocPd();
      cq = context.createCq(16);
      qp = pd.createQp(QpInitAttr.of(type, cq, QpCap.of(8)));
      region = pd.regMr(memory, ACCESS);
      gid = context.queryGid(1, 0);
      payloadAt = type == QpType.UD ? GRH_BYTES : 0;
    }

    void connect(End newPeer) {
      peer = newPeer;
      QpConfig config = new QpConfig(ACCESS, 2, 0, peer.gid, peer.qp.qpNum(), QKEY);
      config.bring(qp, QpState.RTS, 0xff_fff0, 0xff_fff0);
    }

    void start(byte content) {
      peer.qp.postRecv(RecvWr.of(1, peer.region.sge(0, GRH_BYTES + BYTES)));
      fill(OUTBOX, content);
      SendWr send = SendWr.send(2, region.sge(OUTBOX, BYTES));
      boolean isDatagram = qp.initAttr().qpType() == QpType.UD;
      qp.postSend(
          isDatagram ? send.to(pd.createAh(AhAttr.to(peer.gid)), peer.qp.qpNum(), QKEY) : send);
      if (qp.initAttr().qpType() == QpType.RC) {
        long addr = peer.region.addr() + WRITTEN;
        int rkey = peer.region.rkey();
        qp.postSend(SendWr.rdmaWrite(3, addr, rkey, region.sge(OUTBOX, BYTES)));
        qp.postSend(SendWr.rdmaRead(4, addr, rkey, region.sge(FETCHED, BYTES)));
      }
    }

    private static byte[] pattern(byte content) {
      byte[] bytes = new byte[BYTES];
      Arrays.fill(bytes, content);
      return bytes;
    }

    private void fill(int offset, byte content) {
      memory.put(offset, pattern(content));
    }

    void verify(byte content) {
      boolean isReliable = qp.initAttr().qpType() == QpType.RC;
      List<WorkCompletion> completions = cq.poll(16);
      Violation.unless(
          completions.size() == (isReliable ? 4 : 2)
              && completions.stream().allMatch(WorkCompletion::isSuccess),
          "a bystander completes %s",
          completions);
      verify(payloadAt, content);
      if (isReliable) {
        verify(FETCHED, memory.get(OUTBOX));
      }
    }

    private void verify(int offset, byte content) {
      boolean isRight = memory.slice(offset, BYTES).equals(ByteBuffer.wrap(pattern(content)));
      Violation.unless(isRight, "a bystander got wrong bytes");
      fill(offset, (byte) 0);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.perftest;

import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.tools.cli.CommandFailure;
import io.queuepair.tools.cli.TimeLimit;
import io.queuepair.tools.cli.WorkBuffer;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.RecvWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.WorkCompletion;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Messages over a reliable connection of their own, each one SEND. One receive is posted at a time,
 * as both sides speak in turns.
 */
final class CmControlLink implements ControlLink {
  /** What a receive takes at most. */
  private static final int LONGEST = PingpongDest.BYTES;

  private static final int SPINS = 300;
  private static final long PAUSE_NANOS = 50_000;
  private static final Duration SEND_LIMIT = Duration.ofSeconds(60);

  private final CmSession session;
  private final CompletionQueue sendCq;
  private final CompletionQueue recvCq;
  private final MemoryRegion memory;
  private final RdmaCmId id;

  /** Creates the queue pair of an id, with its first receive. */
  CmControlLink(CmSession session, RdmaCmId id) {
    this.session = session;
    this.id = id;
    Context context = id.verbs();
    ProtectionDomain pd = context.allocPd();
    sendCq = context.createCq(1);
    recvCq = context.createCq(1);
    memory = pd.regMr(WorkBuffer.allocate(LONGEST), AccessFlag.LOCAL_WRITE);
    QpCap cap = new QpCap(1, 1, 1, 1, 0);
    id.createQp(pd, new QpInitAttr(QpType.RC, sendCq, recvCq, null, cap, false));
    postReceive();
  }

  private void postReceive() {
    id.qp().postRecv(RecvWr.of(0, memory.sge()));
  }

  @Override
  public void send(byte[] message, String trouble) {
    memory.buffer().put(0, message);
    id.qp().postSend(SendWr.send(0, memory.sge(0, message.length)));
    await(sendCq, TimeLimit.fromNow(SEND_LIMIT), trouble);
  }

  @Override
  public byte[] read(int length, TimeLimit limit, String trouble) {
    WorkCompletion received = await(recvCq, limit, trouble);
    byte[] message = new byte[length];
    memory.buffer().get(0, message);
    postReceive();
    if (received.byteLen() != length) {
      throw new CommandFailure(
          trouble + ": the peer sent " + received.byteLen() + " bytes where " + length + " belong");
    }
    return message;
  }

  /** Messages that came before the peer disconnected are taken first. */
  private WorkCompletion await(CompletionQueue cq, TimeLimit limit, String trouble) {
    WorkCompletion[] taken = new WorkCompletion[1];
    for (int spins = 0; cq.poll(taken) == 0; spins++) {
      if (spins < SPINS) {
        Thread.onSpinWait();
        continue;
      }
      boolean isGone = session.hasPeerLeft();
      if (isGone && cq.poll(taken) > 0) {
        break;
      }
      if (isGone) {
        throw new CommandFailure(trouble + ": the peer ended the connection");
      }
      if (limit.isOver()) {
        throw new CommandFailure(
            trouble + ": the peer was not done within " + limit.whole().toMillis() / 1000.0 + " s");
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    if (!taken[0].isSuccess()) {
      throw new CommandFailure(trouble + ": " + taken[0].explain());
    }
    return taken[0];
  }

  @Override
  public byte[] encode(PeerQp qp) {
    return PingpongDest.encode(qp);
  }

  @Override
  public PeerQp decode(byte[] message) {
    return PingpongDest.decode(message);
  }

  /** The end is signalled by disconnecting. */
  @Override
  public void finish(String trouble) {}
}

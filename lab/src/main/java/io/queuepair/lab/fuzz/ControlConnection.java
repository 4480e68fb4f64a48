// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.lab.simulation.Violation;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Gid;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** One end of a connection that is not fired at: it must work all the time. */
final class ControlConnection {
  static final int BYTES = 600;

  /** Where what is received goes, what is sent comes from, and what is read comes to. */
  static final int INBOX = 0;

  static final int OUTBOX = 1_024;
  static final int FETCHED = 2_048;

  /** Not the Q_Key that is fired with: with that, anyone may send to a queue pair of type UD. */
  static final int QKEY = ~QpConfig.QKEY & Integer.MAX_VALUE;

  private static final int MEMORY_BYTES = 4_096;
  private static final Set<AccessFlag> ACCESS =
      EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_WRITE);

  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final ByteBuffer memory = ByteBuffer.allocateDirect(MEMORY_BYTES);
  private final MemoryRegion region;
  private final Gid gid;

  ControlConnection(Context context, QpType type) {
    pd = context.allocPd();
    cq = context.createCq(64);
    qp = pd.createQp(QpInitAttr.of(type, cq, QpCap.of(8)));
    region = pd.regMr(memory, ACCESS);
    gid = context.queryGid(1, 0);
  }

  QueuePair qp() {
    return qp;
  }

  Gid gid() {
    return gid;
  }

  ProtectionDomain pd() {
    return pd;
  }

  MemoryRegion region() {
    return region;
  }

  Sge sge(int offset, int length) {
    return region.sge(offset, length);
  }

  void connect(ControlConnection peer, int psn) {
    QpConfig hookup = new QpConfig(ACCESS, 2, 0, peer.gid, peer.qp.qpNum());
    hookup.initialize(qp, QKEY);
    hookup.receive(qp, psn);
    hookup.send(qp, psn);
  }

  void fill(int offset, int seed) {
    memory.put(offset, pattern(seed));
  }

  private static byte[] pattern(int seed) {
    byte[] bytes = new byte[BYTES];
    for (int i = 0; i < BYTES; i++) {
      bytes[i] = (byte) (seed + 31 * i);
    }
    return bytes;
  }

  /** Takes all completions, which must be so many successes. */
  void verifyCompletions(int count, String during) {
    List<WorkCompletion> completions = cq.poll(64);
    for (WorkCompletion completion : completions) {
      Violation.unless(completion.isSuccess(), "%s: a neighbour completed %s", during, completion);
    }
    Violation.unless(
        completions.size() == count,
        "%s: %d completions of a neighbour, not %d",
        during,
        completions.size(),
        count);
  }

  /** The bytes are there, and from now on no more. */
  void verifyFilled(int offset, int seed, int length, String during) {
    byte[] there = new byte[length];
    memory.get(offset, there);
    byte[] right = Arrays.copyOf(pattern(seed), length);
    Violation.unless(Arrays.equals(there, right), "%s: a neighbour got wrong bytes", during);
    memory.put(offset, new byte[length]);
  }
}

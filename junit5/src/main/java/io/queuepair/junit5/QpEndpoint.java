// SPDX-License-Identifier: Apache-2.0
package io.queuepair.junit5;

import io.queuepair.emulator.Emulator;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.MemoryRegion;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpCap;
import io.queuepair.verbs.QpInitAttr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WorkCompletion;
import java.nio.ByteBuffer;

/** One side of a {@link QpPair}: a queue pair and what it needs. The extension closes it. */
public final class QpEndpoint {
  private static final int QUEUE_LENGTH = 64;
  private static final int INLINE_BYTES = 64;
  private static final int MEMORY_BYTES = 1 << 16;

  private final TestNetwork network;
  private final String address;
  private final ProtectionDomain pd;
  private final CompletionQueue cq;
  private final QueuePair qp;
  private final MemoryRegion memory;

  /** The other side; set once, when both are there. */
  private QpEndpoint peer;

  QpEndpoint(TestNetwork network, String address, Context context) {
    this.network = network;
    this.address = address;
    pd = context.allocPd();
    cq = context.createCq(2 * QUEUE_LENGTH);
    QpCap cap = new QpCap(QUEUE_LENGTH, QUEUE_LENGTH, 1, 1, INLINE_BYTES);
    qp = pd.createQp(QpInitAttr.rc(cq, cap));
    memory =
        pd.regMr(
            ByteBuffer.allocateDirect(MEMORY_BYTES),
            AccessFlag.LOCAL_WRITE,
            AccessFlag.REMOTE_READ,
            AccessFlag.REMOTE_WRITE,
            AccessFlag.REMOTE_ATOMIC);
  }

  /** {@return the IP address of its device} */
  public String address() {
    return address;
  }

  /** {@return the context of its device} */
  public Context context() {
    return pd.context();
  }

  /** {@return the protection domain of its queue pair and memory} */
  public ProtectionDomain pd() {
    return pd;
  }

  /** {@return the completion queue of its sends and receives, which holds all of them} */
  public CompletionQueue cq() {
    return cq;
  }

  /** {@return its queue pair: 64 sends and 64 receives of one scatter/gather entry each} */
  public QueuePair qp() {
    return qp;
  }

  /** {@return 64 KiB of memory that the peer may read, write and change by atomics} */
  public MemoryRegion memory() {
    return memory;
  }

  /**
   * A part of its memory, as in a work request.
   *
   * @param offset of its first byte
   * @param length in bytes
   * @return the scatter/gather entry
   */
  public Sge sge(int offset, int length) {
    return memory.sge(offset, length);
  }

  /**
   * Waits for the next completion, of a send or a receive, letting the network run.
   *
   * @return the completion
   * @throws io.queuepair.verbs.VerbsException as {@link Emulator#await(CompletionQueue)}
   */
  public WorkCompletion await() {
    return network.emulator().await(cq);
  }

  void connect(QpEndpoint other) {
    peer = other;
    other.peer = this;
    Emulator.connect(qp, other.qp);
  }

  QpEndpoint peer() {
    return peer;
  }

  TestNetwork network() {
    return network;
  }

  /** Closes its objects, each before those that it was made of. */
  void close() {
    qp.close();
    cq.close();
    memory.close();
    pd.close();
  }

  @Override
  public String toString() {
    return qp + " at " + address;
  }
}

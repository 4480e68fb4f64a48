// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Responder of a service where each packet is a message. It sends no responses. */
abstract class SinglePacketResponder implements Responder {
  private final QpContext qp;
  private final ScatterGather scatterGather;
  private final CompletionWriter completions;
  private final ReceiveQueueRef receiveQueue;

  /** Noun for a message in explanations. */
  private final String name;

  private @Nullable String failure;
  private int expectedPsn;

  /** Whether some bytes of the message go to unmapped memory of another process. */
  private boolean isUnwritten;

  private final Staging.Writer writer = number -> isUnwritten = true;

  SinglePacketResponder(
      QpContext qp, ScatterGather scatterGather, CompletionWriter completions, String name) {
    this.qp = qp;
    this.scatterGather = scatterGather;
    this.completions = completions;
    this.name = name;
    receiveQueue = ReceiveQueueRef.of(qp);
  }

  final QpContext qp() {
    return qp;
  }

  final CompletionWriter completions() {
    return completions;
  }

  final ReceiveQueueRef receiveQueue() {
    return receiveQueue;
  }

  /**
   * Writes the parts of a message one after the other into a receive.
   *
   * @return false if the memory may not be written; then the receive has failed
   */
  final boolean place(RecvWqe recvWqe, int bytes, Payload... payloads) {
    int domain = receiveQueue.receiveDomain();
    MemoryFault fault =
        scatterGather.faultOf(recvWqe.sges(), domain, 0, bytes, AccessFlag.LOCAL_WRITE);
    completions.requestChecked(
        fault == null ? RequestStatus.ACCEPT : RequestStatus.RECEIVE_PROTECTION, fault);
    if (fault != null) {
      String why = scatterGather.reasonOf(recvWqe.sges(), domain, 0, bytes, AccessFlag.LOCAL_WRITE);
      String rule = RequestStatus.RECEIVE_PROTECTION.text() + ": " + why;
      fail(recvWqe, WcStatus.LOC_PROT_ERR, ": " + rule);
      return false;
    }
    isUnwritten = false;
    scatterGather.staging().begin(writer, 0, false);
    int at = 0;
    for (Payload payload : payloads) {
      scatterGather.scatter(recvWqe.sges(), at, payload);
      at += payload.length();
    }
    assert at == bytes : at + " " + bytes;
    scatterGather.staging().flush();
    if (isUnwritten) {
      String rule = RequestStatus.RECEIVE_PROTECTION.text() + ": it is not mapped in its process";
      fail(recvWqe, WcStatus.LOC_PROT_ERR, ": " + rule);
    }
    return !isUnwritten;
  }

  /** Completes a receive in error and fails the queue pair. */
  final void fail(RecvWqe recvWqe, WcStatus status, String rule) {
    String reason = name + rule;
    completions.receiveFailed(
        receiveQueue,
        recvWqe,
        new WorkError(status, "the queue pair refused this message: " + reason));
    completions.refused(reason);
    failure = "the queue pair refused a request of its peer: " + reason;
  }

  @Override
  public final void start() {
    stop();
  }

  /** Updates the expected PSN, which is only reported: lost messages go unnoticed. */
  final void expectBehind(Packet packet) {
    expectedPsn = Psn.add(packet.psn(), 1);
  }

  @Override
  public final void stop() {
    failure = null;
  }

  @Override
  public final @Nullable String failure() {
    return failure;
  }

  @Override
  public final void flush(@Nullable String explanation) {
    // No receive is ever partly filled.
  }

  @Override
  public final int expectedPsn() {
    return expectedPsn;
  }
}

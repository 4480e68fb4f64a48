// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.Staging;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Psn;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Responder of an unreliable connection: a message that lost a packet, or that {@link
 * RequestChecks} refuses, is dropped silently to its end. The next message uses its receive.
 */
final class UcResponder implements Responder {
  private final QpContext qp;
  private final CompletionWriter completions;
  private final IncomingMessage message = new IncomingMessage();
  private final RequestChecks checks;
  private final MemoryTable memory;
  private final ReceiveQueueRef receiveQueue;

  /** PSN after the last accepted packet. */
  private int expectedPsn;

  /** Whether the rest of the current message is dropped. */
  private boolean dropsMessage;

  /** Number for {@link Staging} of the message being written to another process. */
  private long messageNumber;

  /** Number of the last message with bytes for unmapped memory of another process. */
  private long unwritten;

  private final Staging.Writer writer = this::setUnwritten;

  /** Result of the last check. */
  private RequestStatus lastStatus = RequestStatus.ACCEPT;

  private @Nullable String failure;

  public UcResponder(QpContext qp, MemoryTable memory, CompletionWriter completions) {
    this.qp = qp;
    this.completions = completions;
    checks = new RequestChecks(qp, message, new ResponseQueue(), memory);
    this.memory = memory;
    receiveQueue = ReceiveQueueRef.of(qp);
  }

  @Override
  public void start() {
    stop();
    expectedPsn = qp.attributes().rqPsn();
    dropsMessage = false;
  }

  @Override
  public void stop() {
    completions.abandoned(message.takeReceive());
    failure = null;
  }

  @Override
  public @Nullable DropReason receiveRequest(Packet packet, long nowNanos) {
    boolean starts = packet.opcode().position().startsMessage();
    boolean isLost = packet.psn() != expectedPsn || dropsMessage;
    if (isLost && !starts) {
      return dropMessage(DropReason.OUT_OF_ORDER);
    }
    if (starts) {
      messageNumber++;
      message.abandon();
      dropsMessage = false;
    }
    RequestStatus requestStatus = checks.checkResources(packet, receiveQueue);
    if (requestStatus == RequestStatus.ACCEPT) {
      message.takeReceiveAndBegin(packet, receiveQueue);
      requestStatus = checks.checkAccess(packet, receiveQueue);
    }
    completions.requestChecked(requestStatus, checks.fault());
    lastStatus = requestStatus;
    return switch (requestStatus) {
      case ACCEPT -> execute(packet);
      case RECEIVE_PROTECTION -> {
        fail(packet, requestStatus);
        yield null;
      }
      case RECEIVER_NOT_READY -> dropMessage(DropReason.NO_RECEIVE);
      case MESSAGE_TOO_LONG -> dropMessage(DropReason.RECEIVE_TOO_SMALL);
      case PSN_SEQUENCE_GAP,
          BAD_OPCODE_SEQUENCE,
          OPERATION_NOT_ENABLED,
          TOO_MANY_OUTSTANDING,
          BAD_LENGTH,
          MISALIGNED_ATOMIC,
          NO_SUCH_SRQ,
          REMOTE_ACCESS,
          CANNOT_INVALIDATE ->
          dropMessage(DropReason.MALFORMED);
    };
  }

  private DropReason dropMessage(DropReason reason) {
    message.abandon();
    dropsMessage = true;
    return reason;
  }

  @Override
  public String detailOf(DropReason dropped, Packet packet) {
    return checks.reason(lastStatus);
  }

  private @Nullable DropReason execute(Packet packet) {
    expectedPsn = Psn.add(packet.psn(), 1);
    boolean endsWrite = message.isWrite() && packet.opcode().position().endsMessage();
    memory.staging().begin(writer, messageNumber, endsWrite);
    message.place(packet.payload(), memory);
    if (packet.opcode().completesReceive()) {
      memory.staging().flush();
      if (unwritten == messageNumber) {
        return failUnwritten(packet);
      }
      completions.received(message, packet);
      message.end();
    } else if (packet.opcode().position().endsMessage()) {
      message.abandon();
    }
    return null;
  }

  private boolean setUnwritten(long number) {
    unwritten = number;
    return false;
  }

  /** Handles unmapped memory of a process: drops a WRITE, fails the receive of a SEND. */
  private @Nullable DropReason failUnwritten(Packet packet) {
    if (message.isWrite()) {
      return dropMessage(DropReason.MALFORMED);
    }
    fail(packet, RequestStatus.RECEIVE_PROTECTION);
    return null;
  }

  private void fail(Packet packet, RequestStatus requestStatus) {
    String reason = packet.opcode() + ", PSN " + packet.psn() + ": " + checks.reason(requestStatus);
    RecvWqe recvWqe = message.takeReceive();
    completions.receiveFailed(
        message.receiveQueue(),
        recvWqe,
        new WorkError(
            requestStatus.receiveStatus(), "the queue pair refused this message: " + reason));
    completions.refused(reason);
    failure = "the queue pair refused a request of its peer: " + reason;
  }

  @Override
  public @Nullable String failure() {
    return failure;
  }

  @Override
  public void flush(@Nullable String explanation) {
    RecvWqe recvWqe = message.takeReceive();
    if (recvWqe != null) {
      completions.receiveFailed(
          receiveQueue, recvWqe, new WorkError(WcStatus.WR_FLUSH_ERR, explanation));
    }
  }

  @Override
  public int expectedPsn() {
    return expectedPsn;
  }
}

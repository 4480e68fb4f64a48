// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Opcode.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;
import org.jspecify.annotations.Nullable;

/** State of the SEND or WRITE being received: its target and progress. */
final class IncomingMessage {
  /** Operation between the first and the last packet of a message, otherwise null. */
  private @Nullable Operation operation;

  private @Nullable ReceiveQueueRef receiveQueue;
  private @Nullable RecvWqe recvWqe;
  private long placedBytes;
  private long writeAddr;
  private long writeBytes;
  private int rkey;

  public boolean isInProgress() {
    return operation != null;
  }

  public @Nullable Operation operation() {
    return operation;
  }

  public boolean isWrite() {
    return operation == Operation.RDMA_WRITE;
  }

  /**
   * Takes a receive if the packet needs one and none is in use, and starts a message at its first
   * packet. The receive stays outstanding until {@link #end} or {@link #takeReceive}; that of an
   * unfinished message is used again.
   *
   * @param from queue that has a receive, if the packet needs one
   */
  public void takeReceiveAndBegin(Packet packet, ReceiveQueueRef from) {
    Opcode opcode = packet.opcode();
    if (opcode.takesReceive() && recvWqe == null) {
      recvWqe = from.takeAndHold();
      receiveQueue = from;
    }
    if (opcode.position().startsMessage() && opcode.operation().isSegmented()) {
      operation = opcode.operation();
      receiveQueue = from;
      placedBytes = 0;
      if (isWrite()) {
        Reth reth = packet.reth();
        writeAddr = reth.virtualAddress();
        writeBytes = reth.dmaLength();
        rkey = reth.rkey();
      }
    }
  }

  /** Queue that the receive comes from and completes to. */
  public @Nullable ReceiveQueueRef receiveQueue() {
    return receiveQueue;
  }

  public @Nullable RecvWqe receive() {
    return recvWqe;
  }

  /** Bytes written so far, which is the offset of the next packet. */
  public long placedBytes() {
    return placedBytes;
  }

  /** Writes the payload of an accepted packet to the target of the WRITE, or to the receive. */
  public void place(Payload payload, MemoryTable memory) {
    if (payload.length() == 0) {
      return;
    }
    if (isWrite()) {
      memory.write(rkey, writeAddr + placedBytes, payload);
    } else {
      memory.scatterGather().scatter(recvWqe.sges(), placedBytes, payload);
    }
    placedBytes += payload.length();
  }

  public int rkey() {
    return rkey;
  }

  /** The part of the WRITE target that is still to be written. */
  public MemoryRange remainingTarget() {
    return new MemoryRange(writeAddr + placedBytes, writeBytes - placedBytes);
  }

  /** Ends an incomplete message but keeps its receive for the next one. */
  public void abandon() {
    operation = null;
  }

  /** Ends the message and returns its receive, if any, for the caller to complete. */
  public @Nullable RecvWqe takeReceive() {
    RecvWqe wqe = recvWqe;
    end();
    return wqe;
  }

  public void end() {
    operation = null;
    if (recvWqe != null) {
      receiveQueue.release();
      recvWqe = null;
    }
  }
}

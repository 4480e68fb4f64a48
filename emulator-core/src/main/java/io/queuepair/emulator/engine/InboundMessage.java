package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Reth;

/** The SEND or WRITE that is arriving: where it goes and how far it has come. */
final class InboundMessage {
  /** SEND or RDMA_WRITE between the first and the last packet, otherwise null. */
  private Operation operation;

  private ReceiveSource source;
  private RecvWqe receive;
  private long placedBytes;
  private long writeAddr;
  private long writeBytes;
  private int rkey;

  boolean isInProgress() {
    return operation != null;
  }

  Operation operation() {
    return operation;
  }

  boolean isWrite() {
    return operation == Operation.RDMA_WRITE;
  }

  /** Starts; a receive that an unfinished message left behind stays in use. */
  void begin(Operation newOperation, ReceiveSource newSource) {
    operation = newOperation;
    source = newSource;
    placedBytes = 0;
    writeAddr = 0;
    writeBytes = 0;
  }

  /** Where its receive comes from and completes. */
  ReceiveSource source() {
    return source;
  }

  void target(Reth reth) {
    writeAddr = reth.virtualAddress();
    writeBytes = reth.dmaLength();
    rkey = reth.rkey();
  }

  /** Puts a receive to use; it stays outstanding until {@link #end} or {@link #takeReceive}. */
  void use(RecvWqe wqe, ReceiveSource from) {
    assert receive == null;
    receive = wqe;
    source = from;
    from.hold();
  }

  /** The receive in use, or null. */
  RecvWqe receive() {
    return receive;
  }

  /** Bytes placed so far, which is the offset of the next packet. */
  long placedBytes() {
    return placedBytes;
  }

  void placed(int bytes) {
    placedBytes += bytes;
  }

  int rkey() {
    return rkey;
  }

  /** The part of the WRITE target that is still to be written. */
  MemoryRange remainingTarget() {
    return new MemoryRange(writeAddr + placedBytes, writeBytes - placedBytes);
  }

  /** Gives up the message but keeps its receive for the next one. */
  void abandon() {
    operation = null;
  }

  /** Gives up the message; the receive in use, if any, is the caller's to complete. */
  RecvWqe takeReceive() {
    RecvWqe taken = receive;
    end();
    return taken;
  }

  void end() {
    operation = null;
    if (receive != null) {
      source.release();
      receive = null;
    }
  }
}

package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.wire.AtomicEth;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Operation;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.Reth;

/**
 * Does what accepted requests ask for: places data, computes atomics. Since a device does one thing
 * at a time, an atomic is atomic against all its queue pairs.
 */
final class Executor {
  private final MemoryTable memory;
  private final ScatterGather scatterGather;

  Executor(MemoryTable memory) {
    this.memory = memory;
    scatterGather = memory.scatterGather();
  }

  /** Places the payload of one packet of a SEND or WRITE. */
  void place(InboundMessage message, Payload payload) {
    if (payload.length() == 0) {
      return;
    }
    if (message.isWrite()) {
      MemoryRange target = message.remainingTarget();
      memory.write(message.rkey(), target.addr(), payload);
    } else {
      scatterGather.scatter(message.receive().sges(), message.placedBytes(), payload);
    }
    message.placed(payload.length());
  }

  /** Invalidates the key that the last packet of a SEND names. */
  void invalidate(Packet last) {
    memory.invalidate(last.ieth().rkey());
  }

  void atomicWrite(Packet packet) {
    Reth reth = packet.reth();
    memory.write(reth.rkey(), reth.virtualAddress(), packet.payload());
  }

  /** Computes an atomic; returns the value that it found. */
  long atomic(Opcode opcode, AtomicEth atomic) {
    long found = memory.load(atomic.rkey(), atomic.virtualAddress());
    boolean isAdd = opcode.operation() == Operation.FETCH_ADD;
    if (isAdd) {
      memory.store(atomic.rkey(), atomic.virtualAddress(), found + atomic.swapOrAdd());
    } else if (found == atomic.compare()) {
      memory.store(atomic.rkey(), atomic.virtualAddress(), atomic.swapOrAdd());
    }
    return found;
  }
}

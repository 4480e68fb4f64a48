package io.queuepair.emulator.qp;

import io.queuepair.verbs.AtomicCmpAndSwp;
import io.queuepair.verbs.AtomicFetchAndAdd;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;

/**
 * Reads and atomics with the flag INLINE, as Linux Soft-RoCE takes them: their scatter/gather
 * entries are overwritten with data, so that the answer finds no memory to go to.
 */
final class InlineReads {
  private InlineReads() {}

  /** The same request with as many bytes of memory that is nobody's. */
  static SendWr withoutMemory(SendWr wr) {
    List<Sge> nowhere = wr.sgList().stream().map(sge -> new Sge(0, sge.length(), 0)).toList();
    if (wr instanceof SendWr.RdmaRead read) {
      return new SendWr.RdmaRead(
          read.wrId(), nowhere, read.flags(), read.remoteAddr(), read.rkey());
    }
    if (wr instanceof AtomicCmpAndSwp swap) {
      return new AtomicCmpAndSwp(
          swap.wrId(),
          nowhere,
          swap.flags(),
          swap.remoteAddr(),
          swap.rkey(),
          swap.compare(),
          swap.swap());
    }
    if (wr instanceof AtomicFetchAndAdd add) {
      return new AtomicFetchAndAdd(
          add.wrId(), nowhere, add.flags(), add.remoteAddr(), add.rkey(), add.add());
    }
    return wr;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.checks;

import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import java.util.List;

/**
 * READs and atomics with INLINE, as Linux Soft-RoCE executes them: the inline data overwrites the
 * scatter/gather entries, so the response finds no memory.
 */
final class InlineReads {
  private InlineReads() {}

  /** The same request with as many bytes of memory outside any region. */
  static SendWr withoutMemory(SendWr wr) {
    List<Sge> nowhere = wr.sgList().stream().map(sge -> new Sge(0, sge.length(), 0)).toList();
    if (wr instanceof SendWr.RdmaRead read) {
      return new SendWr.RdmaRead(
          read.wrId(), nowhere, read.flags(), read.remoteAddr(), read.rkey());
    }
    if (wr instanceof AtomicCmpAndSwpWr swap) {
      return new AtomicCmpAndSwpWr(
          swap.wrId(),
          nowhere,
          swap.flags(),
          swap.remoteAddr(),
          swap.rkey(),
          swap.compare(),
          swap.swap());
    }
    if (wr instanceof AtomicFetchAndAddWr add) {
      return new AtomicFetchAndAddWr(
          add.wrId(), nowhere, add.flags(), add.remoteAddr(), add.rkey(), add.add());
    }
    return wr;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.suites;

import io.queuepair.verbs.AtomicCmpAndSwpWr;
import io.queuepair.verbs.AtomicFetchAndAddWr;
import io.queuepair.verbs.AtomicWriteWr;
import io.queuepair.verbs.FlushWr;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendWr;
import io.queuepair.verbs.Sge;
import io.queuepair.verbs.WrBatch;
import java.nio.ByteBuffer;
import java.util.List;

/** Posts a request in a batch of its own. */
final class ExtendedPosting {
  private ExtendedPosting() {}

  static void post(QueuePair qp, SendWr request, CaseMemory memory) {
    try (WrBatch wr = qp.toQpEx().orElseThrow().wrStart()) {
      wr.wrFlags(SendFlag.SIGNALED).wrId(request.wrId());
      build(wr, request, memory);
      wr.complete();
    }
  }

  private static void build(WrBatch wr, SendWr request, CaseMemory memory) {
    if (request instanceof AtomicWriteWr atomic) {
      wr.atomicWrite(atomic.rkey(), atomic.remoteAddr(), bytes(atomic.sgList(), memory));
      return;
    }
    if (request instanceof FlushWr flush) {
      wr.flush(flush.rkey(), flush.remoteAddr(), flush.length(), flush.placements(), flush.level());
      return;
    }
    if (request instanceof SendWr.Send) {
      wr.send();
    } else if (request instanceof SendWr.SendWithImm send) {
      wr.sendImm(send.immData());
    } else if (request instanceof SendWr.RdmaWrite write) {
      wr.rdmaWrite(write.rkey(), write.remoteAddr());
    } else if (request instanceof SendWr.RdmaWriteWithImm write) {
      wr.rdmaWriteImm(write.rkey(), write.remoteAddr(), write.immData());
    } else if (request instanceof SendWr.RdmaRead read) {
      wr.rdmaRead(read.rkey(), read.remoteAddr());
    } else if (request instanceof AtomicCmpAndSwpWr swap) {
      wr.atomicCmpSwp(swap.rkey(), swap.remoteAddr(), swap.compare(), swap.swap());
    } else if (request instanceof AtomicFetchAndAddWr add) {
      wr.atomicFetchAdd(add.rkey(), add.remoteAddr(), add.add());
    } else {
      throw new IllegalArgumentException("" + request);
    }
    if (request.flags().contains(SendFlag.INLINE)) {
      wr.setInlineData(bytes(request.sgList(), memory));
    } else if (!request.sgList().isEmpty()) {
      wr.setSgeList(request.sgList());
    }
  }

  private static ByteBuffer bytes(List<Sge> sges, CaseMemory memory) {
    return ByteBuffer.wrap(memory.localBytes(sges.get(0).length()));
  }
}

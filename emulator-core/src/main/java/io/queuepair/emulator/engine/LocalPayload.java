package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.WcStatus;

/** Gathers what a send carries from local memory, or from what was captured at post time. */
final class LocalPayload {
  private final ScatterGather memory;
  private final int domain;

  LocalPayload(ScatterGather memory, int domain) {
    this.memory = memory;
    this.domain = domain;
  }

  /** The bytes of one packet, or null if the memory may not be read; then the send is doomed. */
  Payload of(SendWqe wqe, long offset, int bytes) {
    if (wqe.inlineData() != null) {
      Payload data = wqe.inlineData();
      return new Payload(data.buffer(), data.offset() + (int) offset, bytes);
    }
    MemoryFault fault = memory.faultOf(wqe.sges(), domain, offset, bytes, null);
    if (fault == null) {
      return memory.gather(wqe.sges(), offset, bytes);
    }
    wqe.doom(
        new Failure(
            WcStatus.LOC_PROT_ERR,
            "local memory of the request, from byte " + offset + " on: " + fault.text()));
    return null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine.requester;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/** Gathers what a send carries from local memory, or from what was captured at post time. */
final class PayloadReader {
  private final ScatterGather memory;
  private final int domain;

  PayloadReader(ScatterGather memory, int domain) {
    this.memory = memory;
    this.domain = domain;
  }

  /** The bytes of one packet, or null if the memory may not be read; then the send is doomed. */
  @Nullable Payload of(SendWqe wqe, long offset, int bytes) {
    if (wqe.inlineData() != null) {
      Payload data = wqe.inlineData();
      return new Payload(data.buffer(), data.offset() + (int) offset, bytes);
    }
    MemoryFault fault = memory.faultOf(wqe.sges(), domain, offset, bytes, null);
    if (fault == null) {
      return memory.gather(wqe.sges(), offset, bytes);
    }
    wqe.fail(
        new WorkError(
            WcStatus.LOC_PROT_ERR,
            "local memory of the request, from byte " + offset + " on: " + fault.text()));
    return null;
  }
}

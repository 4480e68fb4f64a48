// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.MutablePacket;
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
    return mayRead(wqe, offset, bytes) ? memory.gather(wqe.sges(), offset, bytes) : null;
  }

  /** Lets a packet carry its bytes; false if the memory may not be read. */
  boolean show(SendWqe wqe, long offset, int bytes, MutablePacket packet) {
    if (wqe.inlineData() != null) {
      Payload data = wqe.inlineData();
      packet.setPayload(data.buffer(), data.offset() + (int) offset, bytes);
      return true;
    }
    boolean isReadable = mayRead(wqe, offset, bytes);
    if (isReadable) {
      memory.show(wqe.sges(), offset, bytes, packet);
    }
    return isReadable;
  }

  private boolean mayRead(SendWqe wqe, long offset, int bytes) {
    MemoryFault fault = memory.faultOf(wqe.sges(), domain, offset, bytes, null);
    if (fault != null) {
      wqe.fail(
          new WorkError(
              WcStatus.LOC_PROT_ERR,
              "local memory of the request, from byte "
                  + offset
                  + " on: "
                  + memory.reasonOf(wqe.sges(), domain, offset, bytes, null)));
    }
    return fault == null;
  }
}

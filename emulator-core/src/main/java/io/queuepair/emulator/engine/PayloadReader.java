// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.memory.Staging;
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
    if (!mayRead(wqe, offset, bytes)) {
      return null;
    }
    if (bytes == 0 || !memory.isOfProcess(wqe.sges())) {
      return memory.gather(wqe.sges(), offset, bytes);
    }
    return stage(wqe, offset, bytes) ? memory.staging().payload(wqe.staged(), offset, bytes) : null;
  }

  /** Lets a packet carry its bytes; false if the memory may not be read. */
  boolean show(SendWqe wqe, long offset, int bytes, MutablePacket packet) {
    if (wqe.inlineData() != null) {
      Payload data = wqe.inlineData();
      packet.setPayload(data.buffer(), data.offset() + (int) offset, bytes);
      return true;
    }
    if (!mayRead(wqe, offset, bytes)) {
      return false;
    }
    if (bytes == 0 || !memory.isOfProcess(wqe.sges())) {
      memory.show(wqe.sges(), offset, bytes, packet);
      return true;
    }
    boolean isThere = stage(wqe, offset, bytes);
    if (isThere) {
      memory.staging().show(wqe.staged(), offset, bytes, packet);
    }
    return isThere;
  }

  /** Reads bytes of another process, and those that follow them in the message. */
  private boolean stage(SendWqe wqe, long offset, int bytes) {
    if (memory.staging().holds(wqe.staged(), offset, bytes)) {
      return true;
    }
    int ahead = (int) Math.min(Staging.READ_AHEAD_BYTES, wqe.lengthBytes() - offset);
    boolean isThere =
        (ahead > bytes
                && memory.faultOf(wqe.sges(), domain, offset, ahead, null) == null
                && memory.stage(wqe.sges(), wqe.staged(), offset, ahead))
            || memory.stage(wqe.sges(), wqe.staged(), offset, bytes);
    if (!isThere) {
      String where = "local memory of the request, from byte " + offset + " on, ";
      wqe.fail(new WorkError(WcStatus.LOC_PROT_ERR, where + "is not mapped in its process"));
    }
    return isThere;
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

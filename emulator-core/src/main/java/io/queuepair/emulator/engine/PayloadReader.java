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

/** Reads the payload of a send from local memory, or from its inline data. */
final class PayloadReader {
  private final ScatterGather scatterGather;
  private final int domain;

  PayloadReader(ScatterGather scatterGather, int domain) {
    this.scatterGather = scatterGather;
    this.domain = domain;
  }

  /** Bytes of one packet, or null if the memory may not be read; then the send has failed. */
  @Nullable Payload of(SendWqe wqe, long offset, int bytes) {
    if (wqe.inlineData() != null) {
      Payload inlinePayload = wqe.inlineData();
      return new Payload(inlinePayload.buffer(), inlinePayload.offset() + (int) offset, bytes);
    }
    if (!mayRead(wqe, offset, bytes)) {
      return null;
    }
    if (bytes == 0 || !scatterGather.isOfProcess(wqe.sges())) {
      return scatterGather.gather(wqe.sges(), offset, bytes);
    }
    return stage(wqe, offset, bytes)
        ? scatterGather.staging().payload(wqe.staged(), offset, bytes)
        : null;
  }

  /** Sets the payload of a packet; false, with the send failed, if memory may not be read. */
  boolean show(SendWqe wqe, long offset, int bytes, MutablePacket packet) {
    if (wqe.inlineData() != null) {
      Payload inlinePayload = wqe.inlineData();
      packet.setPayload(inlinePayload.buffer(), inlinePayload.offset() + (int) offset, bytes);
      return true;
    }
    if (!mayRead(wqe, offset, bytes)) {
      return false;
    }
    if (bytes == 0 || !scatterGather.isOfProcess(wqe.sges())) {
      scatterGather.show(wqe.sges(), offset, bytes, packet);
      return true;
    }
    boolean isThere = stage(wqe, offset, bytes);
    if (isThere) {
      scatterGather.staging().show(wqe.staged(), offset, bytes, packet);
    }
    return isThere;
  }

  /** Stages bytes of another process, with read-ahead of those that follow in the message. */
  private boolean stage(SendWqe wqe, long offset, int bytes) {
    if (scatterGather.staging().holds(wqe.staged(), offset, bytes)) {
      return true;
    }
    int ahead = (int) Math.min(Staging.READ_AHEAD_BYTES, wqe.lengthBytes() - offset);
    boolean isThere =
        (ahead > bytes
                && scatterGather.faultOf(wqe.sges(), domain, offset, ahead, null) == null
                && scatterGather.stage(wqe.sges(), wqe.staged(), offset, ahead))
            || scatterGather.stage(wqe.sges(), wqe.staged(), offset, bytes);
    if (!isThere) {
      String where = "local memory of the request, from byte " + offset + " on, ";
      wqe.fail(new WorkError(WcStatus.LOC_PROT_ERR, where + "is not mapped in its process"));
    }
    return isThere;
  }

  private boolean mayRead(SendWqe wqe, long offset, int bytes) {
    MemoryFault fault = scatterGather.faultOf(wqe.sges(), domain, offset, bytes, null);
    if (fault != null) {
      wqe.fail(
          new WorkError(
              WcStatus.LOC_PROT_ERR,
              "local memory of the request, from byte "
                  + offset
                  + " on: "
                  + scatterGather.reasonOf(wqe.sges(), domain, offset, bytes, null)));
    }
    return fault == null;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.ChecksumOffload;
import io.queuepair.emulator.wire.Encapsulation;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.SegmentationOffload;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.TsoWr;
import org.jspecify.annotations.Nullable;

/** Reads the payload of a frame or datagram: a whole send, checksums filled in, or a segment. */
final class OffloadPayloadReader {
  private final QpContext qp;
  private final Encapsulation encapsulation;
  private final PayloadReader payloadReader;

  OffloadPayloadReader(QpContext qp, Encapsulation encapsulation, ScatterGather scatterGather) {
    this.qp = qp;
    this.encapsulation = encapsulation;
    payloadReader = new PayloadReader(scatterGather, qp.domain());
  }

  static int packetsOf(SendWqe wqe) {
    TsoWr tso = wqe.request().tso();
    if (tso != null) {
      return (int) Math.max(1, (wqe.lengthBytes() + tso.mss() - 1) / tso.mss());
    }
    return 1;
  }

  /** Bytes of one packet, or null if the memory may not be read; then the send has failed. */
  @Nullable Payload of(SendWqe wqe, int index) {
    TsoWr tso = wqe.request().tso();
    if (tso != null) {
      return segment(wqe, tso, index);
    }
    Payload payload = inNetworkOrder(payloadReader.of(wqe, 0, (int) wqe.lengthBytes()));
    boolean wantsChecksums =
        qp.setup().offloads().checksums() && wqe.request().has(SendFlag.IP_CSUM);
    if (payload == null || !wantsChecksums) {
      return payload;
    }
    Payload ownPayload = payload.copy();
    ChecksumOffload.fill(encapsulation.packetIn(ownPayload));
    return ownPayload;
  }

  private @Nullable Payload segment(SendWqe wqe, TsoWr tso, int index) {
    long before = (long) index * tso.mss();
    int bytes = (int) Math.min(tso.mss(), wqe.lengthBytes() - before);
    Payload payload = payloadReader.of(wqe, before, bytes);
    if (payload == null) {
      return null;
    }
    boolean isLast = index == wqe.packets() - 1;
    SegmentationOffload.SegmentPosition position =
        new SegmentationOffload.SegmentPosition(index, before, isLast);
    return SegmentationOffload.segment(encapsulation, tso.hdr(), position, payload);
  }

  /** View of the same bytes in network byte order; staged memory has a buffer in native order. */
  private static @Nullable Payload inNetworkOrder(@Nullable Payload payload) {
    return payload == null
        ? null
        : new Payload(payload.buffer().duplicate(), payload.offset(), payload.length());
  }
}

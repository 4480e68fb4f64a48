// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.ChecksumOffload;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.WcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Responder of a RAW_PACKET queue pair: each frame fills a receive, or is dropped if none is
 * posted. A receive too small for a frame fails, and so does the queue pair.
 */
final class RawPacketResponder extends SinglePacketResponder {
  public RawPacketResponder(
      QpContext qp, ScatterGather scatterGather, CompletionWriter completions) {
    super(qp, scatterGather, completions, "a frame");
  }

  /** Drops RoCE packets, none of which address this type. */
  @Override
  public DropReason receiveRequest(Packet packet, long nowNanos) {
    return DropReason.WRONG_SERVICE;
  }

  @Override
  public @Nullable DropReason receiveFrame(RawFrame frame) {
    RecvWqe recvWqe = receiveQueue().take();
    if (recvWqe == null) {
      return DropReason.NO_RECEIVE;
    }
    boolean strips = qp().setup().offloads().stripsCvlan() && frame.hasVlanTag();
    int bytes = strips ? frame.bytesWithoutTag() : frame.bytes().length();
    if (bytes > recvWqe.lengthBytes()) {
      String room = "; the receive has room for " + recvWqe.lengthBytes();
      fail(recvWqe, WcStatus.LOC_LEN_ERR, " of " + bytes + " bytes" + room);
      return null;
    }
    boolean isPlaced =
        strips
            ? place(recvWqe, bytes, frame.addresses(), frame.behindTag())
            : place(recvWqe, bytes, frame.bytes());
    if (isPlaced) {
      boolean isRight = qp().setup().offloads().checksums() && ChecksumOffload.isRight(frame.ip());
      completions().receivedFrame(recvWqe, bytes, isRight, strips ? frame.vlanTag() : 0);
    }
    return null;
  }
}

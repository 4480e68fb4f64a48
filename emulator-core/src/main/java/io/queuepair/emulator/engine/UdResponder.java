// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.RecvWqe;
import io.queuepair.emulator.wire.ChecksumOffload;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Encapsulation;
import io.queuepair.emulator.wire.Grh;
import io.queuepair.emulator.wire.Packet;
import org.jspecify.annotations.Nullable;

/**
 * Responder of a UD queue pair: each packet is a message, written after 40 bytes of GRH. A packet
 * without a receive, or with one too small, is dropped.
 */
final class UdResponder extends SinglePacketResponder {
  public UdResponder(QpContext qp, ScatterGather scatterGather, CompletionWriter completions) {
    super(qp, scatterGather, completions, "a datagram");
  }

  @Override
  public @Nullable DropReason receiveRequest(Packet packet, long nowNanos) {
    if (packet.deth().qkey() != qp().attributes().qkey()) {
      return DropReason.BAD_QKEY;
    }
    long room = receiveQueue().nextLengthBytes();
    int bytes = Grh.BYTES + packet.payloadBytes();
    if (room < bytes) {
      return room < 0 ? DropReason.NO_RECEIVE : DropReason.RECEIVE_TOO_SMALL;
    }
    RecvWqe recvWqe = receiveQueue().take();
    if (place(recvWqe, bytes, Grh.of(packet), packet.payload())) {
      expectBehind(packet);
      boolean isRight =
          qp().setup().offloads().checksums()
              && ChecksumOffload.isRight(Encapsulation.IPOIB.packetIn(packet.payload()));
      completions().receivedDatagram(recvWqe, packet, bytes, isRight);
    }
    return null;
  }

  @Override
  public String detailOf(DropReason dropped, Packet packet) {
    String bytes = packet.payloadBytes() + " + " + Grh.BYTES + " bytes (GRH)";
    return dropped == DropReason.RECEIVE_TOO_SMALL
        ? bytes + " do not fit a receive of " + receiveQueue().nextLengthBytes()
        : "it has " + bytes;
  }
}

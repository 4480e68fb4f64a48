package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.queue.Failure;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.wire.Encapsulation;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Outgoing;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.PortFrame;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;

/**
 * Makes the one frame of a send that holds it whole, from the destination address on, or the frames
 * of a large send.
 */
final class FrameSegmenter implements Segmenter {
  private final QpContext qp;
  private final OffloadedPayload payloads;

  FrameSegmenter(QpContext qp, ScatterGather memory) {
    this.qp = qp;
    payloads = new OffloadedPayload(qp, Encapsulation.ETHERNET, memory);
  }

  @Override
  public int packetsOf(SendWqe wqe) {
    return OffloadedPayload.packetsOf(wqe);
  }

  @Override
  public Outgoing packet(SendWqe wqe, int index, int psn, boolean ackRequest) {
    // What a segment may have was checked when it was posted.
    int most = Ethernet.HEADER_BYTES + qp.portMtuBytes();
    boolean isWhole = wqe.opcode() == WrOpcode.SEND;
    if (isWhole
        && (wqe.lengthBytes() < Ethernet.HEADER_BYTES
            || wqe.lengthBytes() > most + Ethernet.VLAN_BYTES)) {
      doom(wqe, most);
      return null;
    }
    Payload bytes = payloads.of(wqe, index);
    if (bytes == null) {
      return null;
    }
    RawFrame frame = new RawFrame(bytes);
    if (bytes.length() > most && !frame.hasVlanTag()) {
      doom(wqe, most);
      return null;
    }
    return new PortFrame(frame, qp.attributes().portNum());
  }

  private static void doom(SendWqe wqe, int most) {
    wqe.doom(
        new Failure(
            WcStatus.LOC_LEN_ERR,
            "a frame of "
                + wqe.lengthBytes()
                + " bytes is not "
                + Ethernet.HEADER_BYTES
                + " to "
                + most
                + ", to which a VLAN tag may add "
                + Ethernet.VLAN_BYTES));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.memory.ScatterGather;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Encapsulation;
import io.queuepair.emulator.wire.Ethernet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.emulator.wire.PortFrame;
import io.queuepair.emulator.wire.RawFrame;
import io.queuepair.emulator.wire.TransmitUnit;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Makes the frame of a send, which starts with the destination MAC, or the frames of a TSO. */
final class RawPacketSegmenter implements Segmenter {
  private final QpContext qp;
  private final OffloadPayloadReader payloads;

  public RawPacketSegmenter(QpContext qp, ScatterGather scatterGather) {
    this.qp = qp;
    payloads = new OffloadPayloadReader(qp, Encapsulation.ETHERNET, scatterGather);
  }

  @Override
  public int packetsOf(SendWqe wqe) {
    return OffloadPayloadReader.packetsOf(wqe);
  }

  @Override
  public @Nullable TransmitUnit packet(SendWqe wqe, int index, int psn, boolean ackRequest) {
    // The length of TSO segments was checked at post time.
    int most = Ethernet.HEADER_BYTES + qp.portMtuBytes();
    boolean isWhole = wqe.opcode() == WrOpcode.SEND;
    if (isWhole
        && (wqe.lengthBytes() < Ethernet.HEADER_BYTES
            || wqe.lengthBytes() > most + Ethernet.VLAN_BYTES)) {
      fail(wqe, most);
      return null;
    }
    Payload payload = payloads.of(wqe, index);
    if (payload == null) {
      return null;
    }
    RawFrame frame = new RawFrame(payload);
    if (payload.length() > most && !frame.hasVlanTag()) {
      fail(wqe, most);
      return null;
    }
    return new PortFrame(frame, qp.attributes().portNum());
  }

  private static void fail(SendWqe wqe, int most) {
    wqe.fail(
        new WorkError(
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.emulator.queue.SendWqe;
import io.queuepair.emulator.queue.UdDestination;
import io.queuepair.emulator.queue.WorkError;
import io.queuepair.emulator.wire.Deth;
import io.queuepair.emulator.wire.Encapsulation;
import io.queuepair.emulator.wire.ImmDt;
import io.queuepair.emulator.wire.MutablePacket;
import io.queuepair.emulator.wire.Opcode;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WrOpcode;
import org.jspecify.annotations.Nullable;

/** Makes the packet of a datagram, or the datagrams of a TSO. */
final class UdSegmenter implements Segmenter {
  private final QpContext qp;
  private final OffloadPayloadReader payloads;
  private final MutablePacket outgoingPacket;

  public UdSegmenter(QpContext qp, EngineContext engineContext) {
    this.qp = qp;
    payloads =
        new OffloadPayloadReader(qp, Encapsulation.IPOIB, engineContext.memory().scatterGather());
    outgoingPacket = engineContext.outgoingPacket();
  }

  @Override
  public int packetsOf(SendWqe wqe) {
    return OffloadPayloadReader.packetsOf(wqe);
  }

  @Override
  public boolean isSilentlyDiscarded(SendWqe wqe) {
    return qp.has(Quirk.OVERSIZED_UD_DROPPED) && wqe.lengthBytes() > qp.portMtuBytes();
  }

  @Override
  public @Nullable Packet packet(SendWqe wqe, int index, int psn, boolean ackRequest) {
    UdDestination destination = wqe.target();
    if (destination.domain() != qp.domain()) {
      wqe.fail(
          new WorkError(
              WcStatus.LOC_QP_OP_ERR,
              "the address handle belongs to another protection domain than the queue pair"));
      return null;
    }
    // The length of TSO segments was checked at post time.
    if (wqe.opcode() != WrOpcode.TSO && wqe.lengthBytes() > qp.portMtuBytes()) {
      wqe.fail(
          new WorkError(
              WcStatus.LOC_LEN_ERR,
              "a datagram of "
                  + wqe.lengthBytes()
                  + " bytes does not fit the MTU of the port, "
                  + qp.portMtuBytes()));
      return null;
    }
    Payload payload = payloads.of(wqe, index);
    if (payload == null) {
      return null;
    }
    boolean immediate = wqe.operation().hasImmediate();
    Opcode opcode = immediate ? Opcode.UD_SEND_ONLY_WITH_IMM : Opcode.UD_SEND_ONLY;
    outgoingPacket
        .reset(destination.route(), opcode, qp.pkey(), destination.qpn(), psn)
        .solicited(wqe.isSolicited() && index == wqe.packets() - 1)
        .add(new Deth(destination.qkey(), qp.qpn()))
        .setPayload(payload);
    return immediate ? outgoingPacket.add(new ImmDt(wqe.request().number())) : outgoingPacket;
  }
}

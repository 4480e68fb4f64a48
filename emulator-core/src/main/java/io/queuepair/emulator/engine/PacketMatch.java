package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Service;

/** Whether a packet is for the queue pair that it names: what is checked before its content. */
final class PacketMatch {
  private PacketMatch() {}

  /** What keeps a packet from being this queue pair's, whatever it says; or null. */
  static DropReason mismatch(QpLifecycle lifecycle, Packet packet) {
    QpContext qp = lifecycle.qp();
    if (packet.opcode().service() != serviceOf(qp)) {
      return DropReason.WRONG_SERVICE;
    }
    if (!lifecycle.takes(packet.opcode().isResponse())) {
      return DropReason.WRONG_QP_STATE;
    }
    if (isConnected(qp) && !lifecycle.migration().accepts(packet)) {
      return DropReason.WRONG_PEER;
    }
    return PartitionKey.matches(packet.pkey(), qp.pkey()) ? null : DropReason.BAD_PKEY;
  }

  /** The service whose packets a type takes; null if it takes none. */
  private static Service serviceOf(QpContext qp) {
    return switch (qp.type()) {
      case RC -> Service.RC;
      case UC -> Service.UC;
      case UD -> Service.UD;
      case XRC_SEND, XRC_RECV -> Service.XRC;
      case RAW_PACKET, DRIVER -> null;
    };
  }

  private static boolean isConnected(QpContext qp) {
    return serviceOf(qp) != Service.UD;
  }
}

package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Service;

/** Whether a packet is for the queue pair that it names: what is checked before its content. */
final class PacketMatch {
  private PacketMatch() {}

  /**
   * What keeps a packet from being this queue pair's, whatever it says; or null. Changes nothing: a
   * packet that is dropped has no effect. The P_Key comes before the peer, so that no packet of
   * another partition makes a path migrate.
   */
  static DropReason mismatch(QpLifecycle lifecycle, Packet packet) {
    QpContext qp = lifecycle.qp();
    if (packet.opcode().service() != serviceOf(qp)) {
      return DropReason.WRONG_SERVICE;
    }
    if (!lifecycle.takes(packet.opcode().isResponse())) {
      return DropReason.WRONG_QP_STATE;
    }
    if (!isConnected(qp) && !qp.isAtPortOf(packet.route().destination())) {
      return DropReason.WRONG_PORT;
    }
    int pkey = isConnected(qp) ? lifecycle.migration().pathOf(packet).pkey() : qp.pkey();
    if (!PartitionKey.matches(packet.pkey(), pkey)) {
      return DropReason.BAD_PKEY;
    }
    return isConnected(qp) && !lifecycle.migration().accepts(packet) ? DropReason.WRONG_PEER : null;
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

package io.queuepair.emulator.engine;

import io.queuepair.emulator.qp.QpContext;
import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import io.queuepair.emulator.wire.PartitionKey;
import io.queuepair.emulator.wire.Service;
import io.queuepair.verbs.QpState;
import java.util.EnumSet;
import java.util.Set;

/** Whether a packet is for the queue pair that it names: what is checked before its content. */
final class PacketMatch {
  /** Nothing is taken in them, and the path and P_Key may never have been set. */
  private static final Set<QpState> DEAF = EnumSet.of(QpState.RESET, QpState.INIT, QpState.ERR);

  private PacketMatch() {}

  /** What keeps a packet from being this queue pair's, whatever it says; or null. */
  static DropReason mismatch(QpContext qp, Packet packet) {
    if (packet.opcode().service() != serviceOf(qp)) {
      return DropReason.WRONG_SERVICE;
    }
    if (DEAF.contains(qp.state())) {
      return DropReason.WRONG_QP_STATE;
    }
    if (isConnected(qp) && !comesFromPeer(qp, packet)) {
      return DropReason.WRONG_PEER;
    }
    return PartitionKey.matches(packet.bth().pkey(), qp.pkey()) ? null : DropReason.BAD_PKEY;
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

  private static boolean comesFromPeer(QpContext qp, Packet packet) {
    return packet.route().source().equals(qp.route().destination())
        && packet.route().destination().equals(qp.route().source());
  }
}

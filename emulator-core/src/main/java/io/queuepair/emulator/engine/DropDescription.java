// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.engine;

import io.queuepair.emulator.wire.DropReason;
import io.queuepair.emulator.wire.Packet;
import org.jspecify.annotations.Nullable;

/** Describes why a packet was dropped, with the actual and the expected values. */
final class DropDescription {
  private DropDescription() {}

  /**
   * Describes a drop in one or two sentences. For a reliable service the text is the same for all
   * packets of a flow that are dropped for one reason.
   *
   * @param receiverQp queue pair that dropped the packet; null if none did
   */
  static String of(DropReason dropped, Packet packet, @Nullable QpEngine receiverQp) {
    String detail =
        receiverQp == null ? detailOf(dropped, packet) : detailOf(dropped, packet, receiverQp);
    return detail.isEmpty() ? dropped.text() : dropped.text() + " " + capitalized(detail) + ".";
  }

  private static String detailOf(DropReason dropped, Packet packet) {
    return switch (dropped) {
      case NO_SUCH_QP -> "it is " + packet.destQpn();
      case NO_SUCH_GROUP, NOT_OUR_ADDRESS ->
          "it is for " + packet.route().destination().getHostAddress();
      case WRONG_SERVICE -> "it is a " + packet.opcode();
      case BAD_PKEY -> String.format("it has 0x%04x", packet.pkey());
      case BAD_QKEY -> String.format("it has 0x%08x", packet.deth().qkey());
      case NO_AGENT, MALFORMED -> "it has " + packet.payloadBytes() + " bytes";
      case TOO_SHORT,
          UNKNOWN_OPCODE,
          BAD_TRANSPORT_VERSION,
          BAD_LENGTH,
          DEST_QP_ZERO,
          BAD_ICRC,
          PORT_DOWN,
          WRONG_QP_STATE,
          WRONG_PEER,
          WRONG_PORT,
          NO_RECEIVE,
          RECEIVE_TOO_SMALL,
          STALE_RESPONSE,
          DUPLICATE,
          OUT_OF_ORDER ->
          "";
    };
  }

  private static String detailOf(DropReason dropped, Packet packet, QpEngine receiverQp) {
    QpContext qp = receiverQp.qp();
    return switch (dropped) {
      case WRONG_SERVICE -> "it is a " + packet.opcode() + ", the QP is of type " + qp.type();
      case WRONG_QP_STATE -> "it is in " + receiverQp.stateInWords();
      case WRONG_PEER ->
          "it comes from "
              + packet.route().source().getHostAddress()
              + (", the peer is " + qp.path().route().destination().getHostAddress());
      case WRONG_PORT -> "that is " + qp.attributes().portNum();
      case BAD_PKEY -> pkeys(packet.pkey(), receiverQp.pkeyFor(packet));
      case BAD_QKEY ->
          String.format(
              "it has 0x%08x, the QP 0x%08x", packet.deth().qkey(), qp.attributes().qkey());
      case NO_RECEIVE, RECEIVE_TOO_SMALL, MALFORMED -> receiverQp.dropDetail(dropped, packet);
      case TOO_SHORT,
          UNKNOWN_OPCODE,
          BAD_TRANSPORT_VERSION,
          BAD_LENGTH,
          DEST_QP_ZERO,
          BAD_ICRC,
          PORT_DOWN,
          NO_SUCH_QP,
          NO_SUCH_GROUP,
          NO_AGENT,
          NOT_OUR_ADDRESS,
          STALE_RESPONSE,
          DUPLICATE,
          OUT_OF_ORDER ->
          "";
    };
  }

  private static String pkeys(int ofPacket, int ofQp) {
    String both = String.format("it has 0x%04x, the QP 0x%04x", ofPacket, ofQp);
    return ofPacket == ofQp ? both + ": two limited members" : both;
  }

  private static String capitalized(String clause) {
    return Character.toUpperCase(clause.charAt(0)) + clause.substring(1);
  }
}

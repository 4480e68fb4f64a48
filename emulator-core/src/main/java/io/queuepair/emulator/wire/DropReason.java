// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.wire;

/**
 * Reasons why a packet is dropped and counted. RoCE sends no answer for any of them. {@link
 * PacketCodec} finds those of the first group, the device those of the second.
 */
public enum DropReason implements DecodeResult {
  TOO_SHORT("The datagram is shorter than a BTH and an ICRC."),
  UNKNOWN_OPCODE("The opcode is reserved or manufacturer specific."),
  BAD_TRANSPORT_VERSION("The transport header version is not 0."),
  BAD_LENGTH("The headers of the opcode, the pad count and the length do not fit together."),
  DEST_QP_ZERO("The destination is QP 0, which RoCE does not have."),
  BAD_ICRC("The invariant CRC does not match: the packet was corrupted or rewritten on its way."),

  PORT_DOWN("The port it would leave or arrive by is down."),
  NO_SUCH_QP("No QP of this device has the destination number."),
  NO_SUCH_GROUP("No QP of this device is attached to the multicast group."),
  WRONG_SERVICE("The opcode belongs to another service than the type of the QP."),
  WRONG_QP_STATE("The QP takes no such packet in its present state."),
  WRONG_PEER("The packet does not come from the address the QP is connected to."),
  WRONG_PORT("The datagram arrived at another port than that of the QP."),
  BAD_PKEY("The P_Key does not match the partition of the QP."),
  BAD_QKEY("The Q_Key is not the one of the QP."),
  NO_AGENT("No agent on this device is registered for management datagrams of that class."),
  NO_RECEIVE("An unacknowledged message found no receive posted."),
  RECEIVE_TOO_SMALL("An unacknowledged message is longer than the receive that was posted."),
  STALE_RESPONSE("The response is for a request that is no longer outstanding."),
  DUPLICATE("The packet was seen before and needs no other answer."),
  OUT_OF_ORDER("The packet is ahead of the expected PSN and a NAK was sent already."),
  NOT_OUR_ADDRESS("The address that the packet would leave or arrive by is not in the GID table."),
  MALFORMED("The packet breaks a rule of its service, which has no way to say so.");

  private final String text;

  DropReason(String text) {
    this.text = text;
  }

  /** Reason as one sentence for the user. */
  public String text() {
    return text;
  }
}

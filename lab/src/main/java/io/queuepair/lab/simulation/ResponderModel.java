// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.simulation.WirePacket.PacketRole;

/**
 * Model of the responder of a reliable connection: checks each response against the requests that
 * have arrived. Offsets are those of the peer's requester.
 */
final class ResponderModel {
  private static final int SYNDROME_SHIFT = 5;
  private static final int SYNDROME_VALUE = 0x1f;
  private static final int ACK = 0;
  private static final int RNR_NAK = 1;
  private static final int PSN_SEQUENCE_NAK = 0x60;
  private static final int NEVER = -1;

  /** Unanswered arrivals of one request that cannot be chance any more. */
  private static final int MANY = 3;

  private final SimulatedQp side;

  /** Offset after the last packet that arrived in order, whether it was refused or not. */
  private int arrivedEnd;

  private int lastArrived;
  private int lastAck;
  private int lastSequenceNak;
  private int lastRnrNak;

  /** Arrivals of the oldest request that needs a response, since the last response. */
  private int unanswered;

  ResponderModel(SimulatedQp side) {
    this.side = side;
  }

  void start() {
    arrivedEnd = 0;
    lastArrived = NEVER;
    lastAck = NEVER;
    lastSequenceNak = NEVER;
    lastRnrNak = NEVER;
    unanswered = 0;
  }

  private RequesterModel requester() {
    return side.peer().requester;
  }

  boolean hasAcknowledged() {
    return lastAck != NEVER;
  }

  /** Called when an acknowledgement or response has advanced the requester. */
  void progressed() {
    unanswered = 0;
  }

  /** Whether arriving requests get no response. */
  boolean isMute() {
    return unanswered >= MANY;
  }

  /** Handles a request that arrives at this responder. */
  void delivered(WirePacket packet) {
    int offset = requester().offset(packet.psn());
    lastArrived = Math.max(lastArrived, offset);
    if (offset == arrivedEnd) {
      arrivedEnd = offset + packet.psns(side.config.mtu());
    }
    if (offset == requester().unacked() && requester().awaitsResponse()) {
      unanswered++;
    }
  }

  void sent(WirePacket packet) {
    int offset = requester().offset(packet.psn());
    int syndrome = packet.hasAeth() ? packet.syndrome() : ACK;
    boolean isAcknowledge = packet.kind() == PacketRole.ACKNOWLEDGE;
    boolean isAck = syndrome >> SYNDROME_SHIFT == ACK;
    if (!isAcknowledge || !isAck) {
      unanswered = offset <= requester().unacked() ? 0 : unanswered;
    }
    if (isAcknowledge && syndrome == PSN_SEQUENCE_NAK) {
      assertMayReportGap(packet, offset);
      return;
    }
    Violation.unless(
        offset < arrivedEnd, "%s answered with a %s what has not arrived", side, packet);
    if (packet.hasAeth() && isAck) {
      assertCounts(packet, offset);
    }
    if (isAcknowledge && isAck) {
      Violation.unless(
          offset >= lastAck, "%s sent a %s behind that for PSN offset %d", side, packet, lastAck);
      lastAck = offset;
    } else if (isAcknowledge && syndrome >> SYNDROME_SHIFT == RNR_NAK) {
      int code = syndrome & SYNDROME_VALUE;
      Violation.unless(
          code == side.config.retry().minRnrTimer(), "%s asks for RNR timer code %d", side, code);
      lastRnrNak = offset;
    }
  }

  /** Checks that each gap is reported by one NAK, and none after an RNR NAK for the same packet. */
  private void assertMayReportGap(WirePacket packet, int offset) {
    Violation.unless(
        offset <= arrivedEnd && offset < lastArrived,
        "%s sent a %s, but nothing is missing there",
        side,
        packet);
    Violation.unless(
        offset != lastSequenceNak, "%s reported the gap at PSN %d again", side, packet.psn());
    Violation.unless(
        offset != lastRnrNak,
        "%s reported PSN %d missing, though it was not ready for it",
        side,
        packet.psn());
    lastSequenceNak = offset;
  }

  /** Checks the message sequence number and the credits of an AETH. */
  private void assertCounts(WirePacket packet, int offset) {
    int least = requester().messagesBefore(offset + 1);
    int most = requester().messagesBefore(arrivedEnd);
    Violation.unless(
        packet.msn() >= least && packet.msn() <= most,
        "%s sent a %s with MSN %d after %d to %d messages",
        side,
        packet,
        packet.msn(),
        least,
        most);
    int code = packet.syndrome() & SYNDROME_VALUE;
    int promised = RequesterModel.credits(code);
    int posted = side.receives.posted();
    Violation.unless(
        promised <= posted || promised == Integer.MAX_VALUE,
        "%s promised %d receives and has at most %d",
        side,
        promised,
        posted);
  }
}

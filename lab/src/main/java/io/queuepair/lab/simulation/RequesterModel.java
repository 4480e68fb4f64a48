// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.simulation;

import io.queuepair.lab.simulation.WirePacket.PacketRole;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.SendFlag;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Model of the requester of a reliable connection: checks each packet against posted sends, earlier
 * packets and received responses. Offsets count PSNs from the first of the connection.
 */
final class RequesterModel {
  private static final long ACK_TIMEOUT_UNIT_NANOS = 4_096;
  private static final long RNR_UNIT_NANOS = 10_000;

  /** InfiniBand Architecture, "Encoding for RNR NAK Timer Field", in units of 10 us. */
  private static final int[] RNR_UNITS = {
    65536, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536,
    2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152
  };

  /** InfiniBand Architecture, "End-to-End Flow Control Credits": receives by code. */
  private static final int[] CREDITS = {
    0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048,
    3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768
  };

  private static final int NO_LIMIT = Integer.MAX_VALUE;

  /** Divisor of the RNR timer value: the allowed delay of a retry, besides {@link #LATE_NANOS}. */
  private static final int LATE_SHARE = 100;

  private static final long LATE_NANOS = 20_000;

  private static final int SYNDROME_SHIFT = 5;
  private static final int SYNDROME_VALUE = 0x1f;

  private final SimulatedQp side;

  /** Messages sent at least in part and not acknowledged. */
  private final Deque<RequestMessage> messages = new ArrayDeque<>();

  /** Offset of the last PSN of each message since the connection was made. */
  private final List<Integer> ends = new ArrayList<>();

  private int firstPsn;
  private int unacked;
  private int sentEnd;

  /** Offset of the next packet unless the requester retransmits. */
  private int cursor;

  /** Most messages that consume a receive and may be in flight when another one starts. */
  private int credits;

  /** Offset of the last packet that requested an acknowledgement. */
  private int lastAsked;

  private boolean isTimed;
  private long timedSinceNanos;

  /** Whether a NAK for a lost packet has arrived since the last retransmission. */
  private boolean knowsOfLoss;

  private boolean waitsForReceiver;
  private long refusedNanos;
  private long rnrNanos;

  /** Retransmissions without an RNR NAK, since the last acknowledgement. */
  private int retries;

  /** RNR NAKs since the last acknowledgement. */
  private int refusals;

  RequesterModel(SimulatedQp side) {
    this.side = side;
  }

  /** A message with the offsets of its first and last PSN. */
  private record RequestMessage(PendingSend sent, int first, int last) {
    boolean needsResponse() {
      return sent.work.needsResponse();
    }

    boolean consumesReceive() {
      return sent.work.consumesReceive();
    }
  }

  void start(int psn) {
    messages.clear();
    ends.clear();
    firstPsn = psn;
    unacked = 0;
    sentEnd = 0;
    cursor = 0;
    lastAsked = -1;
    credits = NO_LIMIT;
    isTimed = false;
    knowsOfLoss = false;
    waitsForReceiver = false;
    retries = 0;
    refusals = 0;
  }

  /** Offset of a PSN from the first of the connection; negative for an earlier PSN. */
  int offset(int psn) {
    int unused = Integer.SIZE - Integer.bitCount(WirePacket.PSN_MASK);
    return ((psn - firstPsn) << unused) >> unused;
  }

  /** Whether all packets sent are acknowledged. */
  boolean isIdle() {
    return unacked == sentEnd;
  }

  int lastSentPsn() {
    return (firstPsn + sentEnd - 1) & WirePacket.PSN_MASK;
  }

  int unacked() {
    return unacked;
  }

  int retries() {
    return retries;
  }

  int refusals() {
    return refusals;
  }

  /** Whether the oldest unacknowledged message needs a response of its own. */
  boolean awaitsResponse() {
    return !messages.isEmpty() && messages.peekFirst().needsResponse();
  }

  /** Whether a send has been sent at least in part and is not acknowledged. */
  boolean isUnderWay(PendingSend sent) {
    return messages.stream().anyMatch(message -> message.sent == sent);
  }

  int messagesBefore(int offset) {
    int found = Collections.binarySearch(ends, offset);
    return found < 0 ? -found - 1 : found;
  }

  /** Number of receives that a credit code grants. */
  static int credits(int code) {
    return code < CREDITS.length ? CREDITS[code] : NO_LIMIT;
  }

  /** Checks a request packet of this requester. */
  void sent(WirePacket packet, long nowNanos) {
    int offset = offset(packet.psn());
    Violation.unless(offset >= unacked, "%s sent a %s again, which is acknowledged", side, packet);
    Violation.unless(offset <= sentEnd, "%s sent a %s and left PSNs out", side, packet);
    if (asksAgain(packet, offset)) {
      lastAsked = offset;
      assertOf(at(offset), packet, offset);
      return;
    }
    if (offset < cursor) {
      goesBack(packet, nowNanos);
    } else {
      // The receiver accepted a copy of the packet that it had refused before.
      waitsForReceiver = false;
    }
    if (offset == sentEnd && packet.startsMessage()) {
      starts(packet, offset);
    }
    RequestMessage message = at(offset);
    Violation.unless(message != null, "%s sent a %s of no message", side, packet);
    assertOf(message, packet, offset);
    // After a loss, a READ may request a part of the remaining data.
    cursor = offset + packet.psns(side.config.mtu());
    sentEnd = Math.max(sentEnd, cursor);
    lastAsked = packet.asksForAck() ? cursor - 1 : lastAsked;
    if (!isTimed) {
      isTimed = true;
      timedSinceNanos = nowNanos;
    }
  }

  /**
   * Whether the last packet is sent again only to request an acknowledgement, as no request for one
   * is outstanding: no retry (IBTA vol. 1, 9.7.6.1.3: the timer covers requested responses only).
   */
  private boolean asksAgain(WirePacket packet, int offset) {
    boolean isLast = offset + 1 == sentEnd && cursor == sentEnd;
    return isLast && lastAsked < unacked && packet.asksForAck() && !waitsForReceiver;
  }

  private RequestMessage at(int offset) {
    for (RequestMessage message : messages) {
      if (message.first <= offset && offset <= message.last) {
        return message;
      }
    }
    return null;
  }

  private void starts(WirePacket packet, int offset) {
    PendingSend sent = side.sends.nextToStart();
    Violation.unless(sent != null, "%s sent a %s, but nothing is posted", side, packet);
    int bytes = sent.work.bytes();
    boolean isCut = sent.work.isCut();
    int mtu = side.config.mtu().bytes();
    int packets = isCut ? Math.max(1, (bytes + mtu - 1) / mtu) : 1;
    RequestMessage message = new RequestMessage(sent, offset, offset + packets - 1);
    assertMayStart(message);
    messages.addLast(message);
    ends.add(message.last);
  }

  private void assertMayStart(RequestMessage message) {
    long awaited = messages.stream().filter(RequestMessage::needsResponse).count();
    boolean isFenced = message.sent.work.flags().contains(SendFlag.FENCE);
    Violation.unless(
        awaited == 0 || !isFenced,
        "%s: %s is fenced and started before all responses came",
        side,
        message.sent);
    Violation.unless(
        awaited < side.config.reads() || !message.needsResponse(),
        "%s: %s started while %d READs and atomics were outstanding",
        side,
        message.sent,
        awaited);
    long underWay = messages.stream().filter(RequestMessage::consumesReceive).count();
    Violation.unless(
        underWay <= credits || !message.consumesReceive(),
        "%s: %s started while %d were under way for %d receives",
        side,
        message.sent,
        underWay,
        credits);
  }

  private void assertOf(RequestMessage message, WirePacket packet, int offset) {
    WorkSpec work = message.sent.work;
    PacketRole kind = work.kind();
    boolean isWhole =
        !kind.isCut()
            || (packet.startsMessage() == (offset == message.first)
                && packet.endsMessage() == (offset == message.last));
    Violation.unless(
        packet.kind() == kind && isWhole, "%s sent a %s for %s", side, packet, message.sent);
    work.assertSentAs(packet, offset == message.last, side + ": " + message.sent);
  }

  /** Checks that a retransmission follows a lost packet, an RNR NAK or a timeout. */
  private void goesBack(WirePacket packet, long nowNanos) {
    if (waitsForReceiver) {
      long lateNanos = nowNanos - refusedNanos - rnrNanos;
      Violation.unless(
          lateNanos >= 0,
          "%s sent a %s %d ns before the RNR time is over",
          side,
          packet,
          -lateNanos);
      Violation.unless(
          lateNanos <= LATE_NANOS + rnrNanos / LATE_SHARE || side.state() != QpState.RTS,
          "%s sent a %s %d ns after the RNR time of %d ns was over",
          side,
          packet,
          lateNanos,
          rnrNanos);
    } else {
      long waited = nowNanos - timedSinceNanos;
      long timeout = ACK_TIMEOUT_UNIT_NANOS << side.config.retry().timeout();
      Violation.unless(
          knowsOfLoss || (isTimed && waited >= timeout),
          "%s sent a %s again after %d ns, without a reason",
          side,
          packet,
          waited);
      retries++;
    }
    knowsOfLoss = false;
    waitsForReceiver = false;
    isTimed = false;
  }

  void delivered(WirePacket packet, long nowNanos) {
    int offset = offset(packet.psn());
    if (offset < unacked || offset >= sentEnd) {
      if (offset + 1 == unacked) {
        takeCredits(packet, true);
      }
      return;
    }
    int before = unacked;
    boolean isTaken =
        packet.kind() == PacketRole.ACKNOWLEDGE ? acknowledged(packet, offset) : responded(offset);
    takeCredits(packet, isTaken);
    if (unacked != before) {
      retries = 0;
      refusals = 0;
      isTimed = unacked != sentEnd;
      timedSinceNanos = nowNanos;
      side.peer().responder.progressed();
    }
    boolean isRefused = packet.kind() == PacketRole.ACKNOWLEDGE && isRnrNak(packet);
    if (isRefused && offset == unacked) {
      refused(packet.syndrome() & SYNDROME_VALUE, nowNanos);
    }
  }

  private static boolean isAck(WirePacket packet) {
    return packet.syndrome() >> SYNDROME_SHIFT == 0;
  }

  private static boolean isRnrNak(WirePacket packet) {
    return packet.syndrome() >> SYNDROME_SHIFT == 1;
  }

  private boolean acknowledged(WirePacket packet, int offset) {
    if (isAck(packet)) {
      return retireThrough(offset);
    }
    boolean isTaken = retireThrough(offset - 1);
    knowsOfLoss |= isTaken && !isRnrNak(packet);
    return isTaken;
  }

  /** Handles an RNR NAK; further ones during the RNR wait change nothing. */
  private void refused(int timerCode, long nowNanos) {
    if (waitsForReceiver && nowNanos - refusedNanos < rnrNanos) {
      return;
    }
    refusals++;
    if (!waitsForReceiver) {
      waitsForReceiver = true;
      refusedNanos = nowNanos;
      rnrNanos = RNR_UNITS[timerCode] * RNR_UNIT_NANOS;
      isTimed = false;
    }
  }

  /** Retires messages up to an offset; false if a READ or atomic still lacks its response. */
  private boolean retireThrough(int offset) {
    while (!messages.isEmpty() && messages.peekFirst().first <= offset) {
      RequestMessage oldest = messages.peekFirst();
      if (oldest.needsResponse()) {
        knowsOfLoss = true;
        return false;
      }
      unacked = Math.max(unacked, Math.min(offset, oldest.last) + 1);
      if (offset < oldest.last) {
        return true;
      }
      messages.removeFirst();
    }
    return true;
  }

  private boolean responded(int offset) {
    while (!messages.isEmpty() && messages.peekFirst().last < offset) {
      RequestMessage oldest = messages.peekFirst();
      if (oldest.needsResponse()) {
        knowsOfLoss = true;
        return false;
      }
      unacked = oldest.last + 1;
      messages.removeFirst();
    }
    if (offset != unacked) {
      knowsOfLoss = true;
      return false;
    }
    unacked++;
    if (messages.peekFirst().last == offset) {
      messages.removeFirst();
    }
    return true;
  }

  private void takeCredits(WirePacket packet, boolean isTaken) {
    if (packet.hasAeth() && isAck(packet)) {
      int granted = credits(packet.syndrome() & SYNDROME_VALUE);
      credits = isTaken ? granted : Math.max(credits, granted);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks how often, and when, an unanswered message is sent again: fifteen times, after the
 * intervals that the messages themselves name, as Linux computes them.
 */
final class CmRetransmissions {
  /** Number of sends of a message: the first one and {@code CMA_MAX_CM_RETRIES}, 15. */
  static final int MOST_SENDS = 16;

  /** Response timeout of code 20, 4.096 us * 2^20, as Linux rounds it. */
  private static final long RESPONSE_MILLIS = 4096;

  /** Response timeout plus twice the packet lifetime of RoCE. */
  private static final long ACTIVE_MILLIS = RESPONSE_MILLIS + 2 * 256;

  /** Most time that Linux adds to the delay in an MRA for the way of the message. */
  private static final long WAY_MILLIS = 1000;

  private static final long TOLERANCE_MILLIS = 1;
  private static final int CODE_OF_ONE_MILLISECOND = 8;

  private final Map<Sender, Sends> sends = new LinkedHashMap<>();
  private final Map<End, Integer> queuePairs = new LinkedHashMap<>();
  private final Set<Connected> notified = new LinkedHashSet<>();

  private record Sender(InetAddress host, CmKind kind, int commId) {}

  private record End(InetAddress host, int commId) {}

  /** Queue pair of a host that has been notified of the end of its connection. */
  private record Connected(InetAddress host, int qpn) {}

  private static final class Sends {
    private int times;
    private long latestNanos;
    private long extendedMillis;
    private boolean isExtended;
  }

  /** Handles a message that a host sends. */
  void sent(InetAddress from, InetAddress to, CmMessage message, long nowNanos) {
    int commId = message.localCommId();
    switch (message.kind()) {
      case REQ -> {
        queuePairs.put(new End(from, commId), message.getInt(CmField.REQ_LOCAL_QPN));
        count(new Sender(from, CmKind.REQ, commId), ACTIVE_MILLIS, nowNanos);
      }
      case SIDR_REQ -> count(new Sender(from, CmKind.SIDR_REQ, commId), RESPONSE_MILLIS, nowNanos);
      case REP -> queuePairs.put(new End(from, commId), message.getInt(CmField.REP_LOCAL_QPN));
      case REJ -> {
        Integer qpn = queuePairs.get(new End(to, message.remoteCommId()));
        if (qpn != null) {
          notified.add(new Connected(to, qpn));
        }
      }
      case DREQ -> {
        boolean isActive = sends.containsKey(new Sender(from, CmKind.REQ, commId));
        long intervalMillis = isActive ? ACTIVE_MILLIS : RESPONSE_MILLIS;
        Sends dreqs = count(new Sender(from, CmKind.DREQ, commId), intervalMillis, nowNanos);
        if (dreqs.times == MOST_SENDS) {
          notified.add(new Connected(to, message.getInt(CmField.DREQ_REMOTE_QPN)));
        }
      }
      case MRA, RTU, DREP, SIDR_REP, LAP, APR -> {}
    }
  }

  /** Handles a message that arrives at a host. */
  void arrived(InetAddress to, CmMessage message, long nowNanos) {
    if (message.kind() == CmKind.MRA) {
      Sends requests = sends.get(new Sender(to, CmKind.REQ, message.remoteCommId()));
      if (requests != null && !requests.isExtended) {
        requests.isExtended = true;
        requests.latestNanos = nowNanos;
        requests.extendedMillis =
            1L
                << Math.max(
                    message.getInt(CmField.MRA_SERVICE_TIMEOUT) - CODE_OF_ONE_MILLISECOND, 0);
      }
    }
  }

  private Sends count(Sender sender, long intervalMillis, long nowNanos) {
    Sends known = sends.computeIfAbsent(sender, first -> new Sends());
    long gapMillis = TimeUnit.NANOSECONDS.toMillis(nowNanos - known.latestNanos);
    if (known.times > 0) {
      long earliest = known.extendedMillis > 0 ? known.extendedMillis : intervalMillis;
      long latest = known.extendedMillis > 0 ? known.extendedMillis + WAY_MILLIS : intervalMillis;
      Violation.unless(
          gapMillis >= earliest - TOLERANCE_MILLIS && gapMillis <= latest + TOLERANCE_MILLIS,
          "a %s comes again after %d ms, not %d",
          sender.kind(),
          gapMillis,
          earliest);
    }
    known.times++;
    known.latestNanos = nowNanos;
    known.extendedMillis = 0;
    Violation.unless(
        known.times <= MOST_SENDS, "a %s is sent %d times", sender.kind(), known.times);
    return known;
  }

  /** Checks that the event UNREACHABLE comes only after all retries. */
  void verifyExhausted(InetAddress host, CmKind kind, int commId) {
    Sends known = sends.get(new Sender(host, kind, commId));
    int times = known == null ? 0 : known.times;
    Violation.unless(times == MOST_SENDS, "given up after %d times of a %s", times, kind);
  }

  /**
   * Whether a host was sent a notification of the end of a connection: a REJ, which is not
   * retransmitted, or a DREQ as often as it may be sent.
   */
  boolean hasNotified(InetAddress host, int qpn) {
    return notified.contains(new Connected(host, qpn));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Checks that a message repeated because its answer was lost is answered again at once, without the
 * program: a rejected REQ, a REP, a DREQ, and a SIDR_REQ.
 */
final class CmAnswersOwed {
  private static final long AT_ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<Answer, Long> owed = new LinkedHashMap<>();
  private final Set<Answer> given = new LinkedHashSet<>();

  /** Connection ends, as host and communication id, that disconnect or were rejected. */
  private final Set<Answer> leaving = new LinkedHashSet<>();

  /**
   * Answer of a host to a message.
   *
   * @param commId communication id of the host for RTU and DREP, of the peer for REJ and SIDR_REP
   */
  private record Answer(InetAddress host, CmKind kind, int commId) {}

  /** Handles a message that a host sends. */
  void sent(InetAddress from, CmMessage message) {
    switch (message.kind()) {
      case RTU, DREP, SIDR_REP -> give(new Answer(from, message.kind(), message.localCommId()));
      case REJ -> {
        leave(from, message.localCommId());
        Answer answer = new Answer(from, CmKind.REJ, message.remoteCommId());
        owed.remove(answer);
        if (message.getInt(CmField.REJ_REASON) == RejectReason.CONSUMER_DEFINED.code()) {
          given.add(answer);
        }
      }
      case DREQ -> {
        leave(from, message.localCommId());
        given.add(new Answer(from, CmKind.DREP, message.localCommId()));
      }
      case REQ, MRA, REP, SIDR_REQ, LAP, APR -> {}
    }
  }

  private void give(Answer answer) {
    owed.remove(answer);
    given.add(answer);
  }

  private void leave(InetAddress host, int commId) {
    leaving.add(new Answer(host, CmKind.RTU, commId));
    owed.remove(new Answer(host, CmKind.RTU, commId));
  }

  /** Handles a message that arrives at a host. */
  void arrived(InetAddress to, CmMessage message, long nowNanos) {
    switch (message.kind()) {
      case REP -> {
        Answer answer = new Answer(to, CmKind.RTU, message.remoteCommId());
        if (!leaving.contains(answer)) {
          again(answer, nowNanos);
        }
      }
      case DREQ -> {
        again(new Answer(to, CmKind.DREP, message.remoteCommId()), nowNanos);
        leave(to, message.remoteCommId());
      }
      case REJ -> leave(to, message.remoteCommId());
      case SIDR_REQ -> again(new Answer(to, CmKind.SIDR_REP, message.localCommId()), nowNanos);
      case REQ -> again(new Answer(to, CmKind.REJ, message.localCommId()), nowNanos);
      case MRA, RTU, DREP, SIDR_REP, LAP, APR -> {}
    }
  }

  private void again(Answer answer, long nowNanos) {
    if (given.contains(answer)) {
      owed.putIfAbsent(answer, nowNanos);
    }
  }

  /** Checks that no answer has been due for {@link #AT_ONCE_NANOS} or longer. */
  void verify(long nowNanos) {
    owed.forEach(
        (answer, sinceNanos) ->
            Violation.unless(
                nowNanos - sinceNanos < AT_ONCE_NANOS,
                "a %s that was lost is not sent again",
                answer.kind()));
  }
}

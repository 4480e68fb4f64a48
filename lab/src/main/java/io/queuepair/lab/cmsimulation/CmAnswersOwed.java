// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.wire.CmDrep;
import io.queuepair.emulator.wire.CmDreq;
import io.queuepair.emulator.wire.CmKind;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.CmRej;
import io.queuepair.emulator.wire.CmRep;
import io.queuepair.emulator.wire.CmReq;
import io.queuepair.emulator.wire.CmRtu;
import io.queuepair.emulator.wire.CmSidrRep;
import io.queuepair.emulator.wire.CmSidrReq;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.simulation.Violation;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Judges that what comes again because its answer was lost is answered again, at once and without
 * the program: a REQ that was rejected, a REP, a DREQ, and a SIDR_REQ.
 */
final class CmAnswersOwed {
  private static final long AT_ONCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Map<Answer, Long> owed = new LinkedHashMap<>();
  private final Set<Answer> given = new LinkedHashSet<>();

  /** Ends of a host, by the number of the end, that disconnect or were rejected. */
  private final Set<Answer> leaving = new LinkedHashSet<>();

  /**
   * What a host answers with.
   *
   * @param commId of its own end for RTU and DREP, of the peer's for REJ and SIDR_REP
   */
  private record Answer(InetAddress host, CmKind kind, int commId) {}

  /** Takes a message that a host sends. */
  void sent(InetAddress from, CmMessage message) {
    if (message instanceof CmRtu rtu) {
      give(new Answer(from, CmKind.RTU, rtu.localCommId()));
    } else if (message instanceof CmDrep drep) {
      give(new Answer(from, CmKind.DREP, drep.localCommId()));
    } else if (message instanceof CmSidrRep rep) {
      give(new Answer(from, CmKind.SIDR_REP, rep.requestId()));
    } else if (message instanceof CmRej rej) {
      leave(from, rej.localCommId());
      owed.remove(new Answer(from, CmKind.REJ, rej.remoteCommId()));
      if (rej.reason() == RejectReason.CONSUMER_DEFINED.code()) {
        given.add(new Answer(from, CmKind.REJ, rej.remoteCommId()));
      }
    } else if (message instanceof CmDreq dreq) {
      leave(from, dreq.localCommId());
      given.add(new Answer(from, CmKind.DREP, dreq.localCommId()));
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

  /** Takes a message that arrives at a host. */
  void arrived(InetAddress to, CmMessage message, long nowNanos) {
    if (message instanceof CmRep rep) {
      Answer answer = new Answer(to, CmKind.RTU, rep.remoteCommId());
      if (!leaving.contains(answer)) {
        again(answer, nowNanos);
      }
    } else if (message instanceof CmDreq dreq) {
      again(new Answer(to, CmKind.DREP, dreq.remoteCommId()), nowNanos);
      leave(to, dreq.remoteCommId());
    } else if (message instanceof CmRej rej) {
      leave(to, rej.remoteCommId());
    } else if (message instanceof CmSidrReq req) {
      again(new Answer(to, CmKind.SIDR_REP, req.requestId()), nowNanos);
    } else if (message instanceof CmReq req) {
      again(new Answer(to, CmKind.REJ, req.localCommId()), nowNanos);
    }
  }

  private void again(Answer answer, long nowNanos) {
    if (given.contains(answer)) {
      owed.putIfAbsent(answer, nowNanos);
    }
  }

  /** Nothing is owed for longer than it takes to send it. */
  void verify(long nowNanos) {
    owed.forEach(
        (answer, sinceNanos) ->
            Violation.unless(
                nowNanos - sinceNanos < AT_ONCE_NANOS,
                "a %s that was lost is not sent again",
                answer.kind()));
  }
}

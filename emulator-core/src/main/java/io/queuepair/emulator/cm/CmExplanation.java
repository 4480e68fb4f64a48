// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.cm;

import io.queuepair.emulator.wire.CmField;
import io.queuepair.emulator.wire.CmMessage;
import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.emulator.wire.SidrStatus;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Sentences that explain events of an id. Pure functions. */
final class CmExplanation {
  private CmExplanation() {}

  /** Explanation of an input, empty if none is needed. The id has not left its old state yet. */
  static String of(CmId id, CmInput input, CmEngine.Cause cause) {
    return switch (input) {
      case RETRIES_EXHAUSTED -> unanswered(id, cause.nowNanos());
      case REJ, REJ_STALE -> rejection(id, cause.arrived());
      case SIDR_REP -> resolution(id, cause.arrived());
      case DREQ -> id.peer() + " has ended the connection: a DREQ came.";
      case DREP -> id.peer() + " has confirmed the end of the connection: a DREP came.";
      case NOTIFY -> "Data came before the RTU.";
      case DISPLACED ->
          "More than "
              + CmIds.MAX_TIMED_BY_PEER
              + " ends of connections wait for their peers, and this one did so for the longest.";
      case TIME_OVER ->
          "No packet of the connection can be on its way any more, "
              + seconds(id.timewaitNanos())
              + " after its end.";
      default -> "";
    };
  }

  private static String unanswered(CmId id, long nowNanos) {
    return id.latestInWords()
        + " was sent "
        + id.timesSent()
        + (id.timesSent() == 1 ? " time" : " times")
        + " to "
        + id.peer()
        + " in "
        + seconds(nowNanos - id.firstSentNanos())
        + ", and no answer came back.";
  }

  private static String rejection(CmId id, CmMessage rej) {
    int code = rej.getInt(CmField.REJ_REASON);
    String why =
        RejectReason.ofCode(code)
            .map(
                reason ->
                    switch (reason) {
                      case CONSUMER_DEFINED -> "its program rejected the connection";
                      case INVALID_SERVICE_ID -> "no program listens on that port there";
                      case STALE_CONN ->
                          "it takes the queue pair for one of an earlier connection that has not"
                              + " ended there";
                      case TIMEOUT -> "it had no answer in time";
                      default -> reason.text();
                    })
            .orElse("for an unknown reason");
    return id.peer() + " sent a REJ, reason " + code + ": " + why + ".";
  }

  private static String resolution(CmId id, CmMessage rep) {
    int status = rep.getInt(CmField.SIDR_REP_STATUS);
    return status == SidrStatus.SUCCESS.code()
        ? ""
        : id.peer()
            + " sent a SIDR_REP, status "
            + status
            + ": "
            + SidrStatus.ofCode(status).map(SidrStatus::text).orElse("unknown")
            + ".";
  }

  private static String seconds(long nanos) {
    double seconds = (double) nanos / TimeUnit.SECONDS.toNanos(1);
    return String.format(Locale.ROOT, "%.3f s", seconds);
  }
}

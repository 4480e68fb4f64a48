// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.cmsimulation;

import io.queuepair.emulator.wire.RejectReason;
import io.queuepair.lab.simulation.Violation;
import io.queuepair.rdmacm.RdmaCmEventType;
import io.queuepair.rdmacm.RdmaCmId;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Both sides of one connection, and checks of the events that each side receives. */
final class CmConnection {
  private final int number;
  final CmConnectionPlan plan;
  private CmEnd active;

  /**
   * Passive ends, one for each request. A second request is possible once the first end has ended:
   * the active side sends its REQ for longer than a passive side waits for the RTU.
   */
  private final List<CmEnd> passives = new ArrayList<>();

  private final Set<CmEnd> accepted = new LinkedHashSet<>();
  private final Set<CmEnd> unaware = new LinkedHashSet<>();
  private boolean isRefused;
  private CmResult result;

  CmConnection(int number, CmConnectionPlan plan) {
    this.number = number;
    this.plan = plan;
  }

  boolean isDatagram() {
    return plan.type() == QpType.UD;
  }

  CmEnd begin(CmHost host, RdmaCmId id) {
    active = new CmEnd(host, id, number, plan, true);
    return active;
  }

  CmEnd request(CmHost host, RdmaCmId id) {
    boolean isFirst =
        passives.isEmpty() || !host.ends().contains(passives.get(passives.size() - 1));
    Violation.unless(isFirst || lastHasEnded(), "a request comes twice");
    CmEnd end = new CmEnd(host, id, number, plan, false);
    passives.add(end);
    return end;
  }

  private boolean lastHasEnded() {
    return passives.get(passives.size() - 1).hasEnded();
  }

  void answered(CmEnd end, CmAnswer answer) {
    if (answer == CmAnswer.ACCEPT) {
      accepted.add(end);
    } else {
      isRefused = true;
    }
  }

  boolean hasAccepted(CmEnd end) {
    return accepted.contains(end);
  }

  /** Checks that passive is connected only if active is, and active only if accepted. */
  void established(CmEnd end) {
    if (end.isActive) {
      Violation.unless(!accepted.isEmpty(), "the active side is connected, but was not accepted");
      set(CmResult.ESTABLISHED);
    } else {
      Violation.unless(
          active.has(RdmaCmEventType.ESTABLISHED) || active.posted() > 0,
          "only the passive side is connected");
    }
  }

  void rejected(CmEnd end, RejectReason reason) {
    if (end.isActive) {
      Violation.unless(
          isRefused || !accepted.isEmpty() || reason != RejectReason.CONSUMER_DEFINED,
          "rejected by no program");
      Violation.unless(
          reason != RejectReason.INVALID_SERVICE_ID, "rejected by a listener that is there");
      Violation.unless(
          reason != RejectReason.STALE_CONN || passives.stream().anyMatch(CmEnd::isOver),
          "rejected as stale, while the request waits for its answer");
    }
    set(CmResult.REJECTED);
  }

  /** Sets the result; only the first call has an effect. */
  void set(CmResult what) {
    result = result == null ? what : result;
  }

  /** Whether the other side has closed its end, or has received the event that ends it. */
  boolean isLeft(CmEnd end) {
    return end.isActive ? passives.stream().allMatch(CmEnd::isOver) : active.isOver();
  }

  void unaware(CmEnd end) {
    unaware.add(end);
  }

  boolean isUnaware(CmEnd end) {
    return unaware.contains(end);
  }

  CmResult result() {
    if (!unaware.isEmpty()) {
      return CmResult.UNAWARE;
    }
    return result == null ? CmResult.GIVEN_UP : result;
  }

  long posted() {
    return active.posted() + passives.stream().mapToLong(CmEnd::posted).sum();
  }

  long received() {
    return active.received() + receivedByPassives();
  }

  private long receivedByPassives() {
    return passives.stream().mapToLong(CmEnd::received).sum();
  }

  /** Checks that acknowledged messages of a reliable connection have arrived. */
  void verify(CmEnd end) {
    if (plan.type() == QpType.RC) {
      long there = end.isActive ? receivedByPassives() : active.received();
      Violation.unless(
          end.acknowledged() <= there,
          "%d messages are acknowledged, and %d have arrived",
          end.acknowledged(),
          there);
    }
  }
}

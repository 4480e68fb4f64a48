// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Traffic;
import io.queuepair.emulator.wire.PacketCodec;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Applies a plan to a network. Thread-safe. */
final class FaultInjector {
  private final Scheduler scheduler;
  private final List<FaultState> faults = new ArrayList<>();

  /** How often statements that have ended were carried out. */
  private final Map<String, Long> ended = new LinkedHashMap<>();

  private final PacketCodec codec = new PacketCodec();

  /** Null unless faults are recorded. */
  private final @Nullable FaultLog log;

  private final long seed;

  /** Queues of attached stations by address; never iterated. */
  private final Map<InetAddress, DelayQueue> stationQueues = new ConcurrentHashMap<>();

  FaultInjector(FaultPlan plan, Scheduler scheduler, boolean isRecorded) {
    this.scheduler = scheduler;
    log = isRecorded ? new FaultLog(plan) : null;
    seed = plan.seed();
    add(plan);
  }

  /** Adds a plan, which begins now. */
  synchronized void add(FaultPlan plan) {
    RandomSource randoms = new RandomSource(plan.seed());
    for (FaultStatement statement : plan.statements()) {
      if (statement instanceof PacketStatement packetStatement) {
        faults.add(
            new FaultState(packetStatement, randoms.of(packetStatement), scheduler.nowNanos()));
      }
    }
  }

  synchronized void clear() {
    faults.forEach(fault -> ended.merge(fault.toString(), fault.applied(), Long::sum));
    faults.clear();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Map<InetAddress, DelayQueue> stations() {
    return stationQueues;
  }

  /** Decides which faults are applied to the next packet. */
  synchronized FaultDecision fateOf(Traffic traffic) {
    PacketContext packetContext = new PacketContext(traffic, scheduler.nowNanos(), codec);
    List<FaultDecision.AppliedFault> applied = new ArrayList<>();
    List<FaultDecision.AppliedFault> appliedByRules = new ArrayList<>();
    for (FaultState fault : faults) {
      FaultDecision.AppliedFault appliedFault = fault.look(packetContext);
      if (appliedFault != null) {
        applied.add(appliedFault);
        if (fault.isRule()) {
          appliedByRules.add(appliedFault);
        }
      }
    }
    if (log != null) {
      log.add(packetContext, appliedByRules);
    }
    return new FaultDecision(packetContext, applied);
  }

  /** Sends a forged response through the station of its source, or else delivers it. */
  void answer(DelayQueue.AnnotatedTraffic traffic, InetAddress source, DelayQueue requesterQueue) {
    DelayQueue responderQueue = stationQueues.get(source);
    if (responderQueue == null) {
      requesterQueue.handOver(traffic);
    } else {
      responderQueue.add(traffic, scheduler.nowNanos());
    }
  }

  /** Plan of the applied faults; only if they are recorded. */
  synchronized FaultPlan asTaken() {
    if (log == null) {
      throw new IllegalStateException("what is done to each packet is not recorded");
    }
    return log.plan(seed);
  }

  synchronized Map<String, Long> applied() {
    Map<String, Long> counts = new LinkedHashMap<>(ended);
    faults.forEach(fault -> counts.merge(fault.toString(), fault.applied(), Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

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

  /** Null unless there is a listener. */
  private final @Nullable FaultLog record;

  private final long seed;

  /** Attached stations by address; never iterated. */
  private final Map<InetAddress, DelayQueue> stations = new ConcurrentHashMap<>();

  FaultInjector(FaultPlan plan, Scheduler scheduler, boolean isRecorded) {
    this.scheduler = scheduler;
    record = isRecorded ? new FaultLog(plan) : null;
    seed = plan.seed();
    add(plan);
  }

  /** Carries out another plan too, which begins now. */
  synchronized void add(FaultPlan plan) {
    RandomSource randoms = new RandomSource(plan.seed());
    for (FaultStatement statement : plan.statements()) {
      if (statement instanceof PacketStatement fault) {
        faults.add(new FaultState(fault, randoms.of(fault), scheduler.nowNanos()));
      }
    }
  }

  /** Ends all plans. */
  synchronized void clear() {
    faults.forEach(fault -> ended.merge(fault.toString(), fault.applied(), Long::sum));
    faults.clear();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Map<InetAddress, DelayQueue> stations() {
    return stations;
  }

  /** Decides the fate of the next packet. */
  synchronized FaultDecision fateOf(Traffic traffic) {
    PacketContext packetContext = new PacketContext(traffic, scheduler.nowNanos(), codec);
    List<FaultDecision.AppliedFault> taken = new ArrayList<>();
    List<FaultDecision.AppliedFault> takenByRules = new ArrayList<>();
    for (FaultState fault : faults) {
      FaultDecision.AppliedFault one = fault.look(packetContext);
      if (one != null) {
        taken.add(one);
        if (fault.isRule()) {
          takenByRules.add(one);
        }
      }
    }
    if (record != null) {
      record.add(packetContext, takenByRules);
    }
    return new FaultDecision(packetContext, taken);
  }

  /** Sends an answer on behalf of its source, or hands it over if that is somewhere else. */
  void answer(DelayQueue.AnnotatedTraffic answer, InetAddress source, DelayQueue requester) {
    DelayQueue responder = stations.get(source);
    if (responder == null) {
      requester.handOver(answer);
    } else {
      responder.add(answer, scheduler.nowNanos());
    }
  }

  /** Only if it is recorded. */
  synchronized FaultPlan asTaken() {
    if (record == null) {
      throw new IllegalStateException("what is done to each packet is not recorded");
    }
    return record.plan(seed);
  }

  synchronized Map<String, Long> applied() {
    Map<String, Long> counts = new LinkedHashMap<>(ended);
    faults.forEach(fault -> counts.merge(fault.toString(), fault.applied(), Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

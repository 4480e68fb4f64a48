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

/** A plan that is being carried out on a network. Thread-safe. */
final class FaultRun {
  private final Scheduler scheduler;
  private final List<ActiveFault> faults = new ArrayList<>();

  /** How often statements that have ended were carried out. */
  private final Map<String, Long> ended = new LinkedHashMap<>();

  private final PacketCodec codec = new PacketCodec();

  /** Null unless somebody wants to know. */
  private final FaultRecord record;

  private final long seed;

  /** Those that are attached, by address; never iterated. */
  private final Map<InetAddress, LateTraffic> stations = new ConcurrentHashMap<>();

  FaultRun(FaultPlan plan, Scheduler scheduler, boolean isRecorded) {
    this.scheduler = scheduler;
    record = isRecorded ? new FaultRecord(plan) : null;
    seed = plan.seed();
    add(plan);
  }

  /** Carries out another plan too, which begins now. */
  synchronized void add(FaultPlan plan) {
    RandomSource randoms = new RandomSource(plan.seed());
    for (Statement statement : plan.statements()) {
      if (statement instanceof PacketStatement fault) {
        faults.add(new ActiveFault(fault, randoms.of(fault), scheduler.nowNanos()));
      }
    }
  }

  /** Ends all plans. */
  synchronized void clear() {
    faults.forEach(fault -> ended.merge(fault.toString(), fault.taken(), Long::sum));
    faults.clear();
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Map<InetAddress, LateTraffic> stations() {
    return stations;
  }

  /** What becomes of the next packet. */
  synchronized Fate fateOf(Traffic traffic) {
    Passing passing = new Passing(traffic, scheduler.nowNanos(), codec);
    List<Fate.Taken> taken = new ArrayList<>();
    List<Fate.Taken> takenByRules = new ArrayList<>();
    for (ActiveFault fault : faults) {
      Fate.Taken one = fault.look(passing);
      if (one != null) {
        taken.add(one);
        if (fault.isRule()) {
          takenByRules.add(one);
        }
      }
    }
    if (record != null) {
      record.add(passing, takenByRules);
    }
    return new Fate(passing, taken);
  }

  /** Sends an answer on behalf of its source, or hands it over if that is somewhere else. */
  void answer(LateTraffic.Noted answer, InetAddress source, LateTraffic requester) {
    LateTraffic responder = stations.get(source);
    if (responder == null) {
      requester.receive(answer);
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

  synchronized Map<String, Long> taken() {
    Map<String, Long> counts = new LinkedHashMap<>(ended);
    faults.forEach(fault -> counts.merge(fault.toString(), fault.taken(), Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

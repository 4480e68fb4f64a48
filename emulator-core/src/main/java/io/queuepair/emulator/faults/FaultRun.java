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
  private final long originNanos;
  private final List<ActiveFault> faults = new ArrayList<>();
  private final PacketCodec codec = new PacketCodec();

  /** Those that are attached, by address; never iterated. */
  private final Map<InetAddress, LateTraffic> stations = new ConcurrentHashMap<>();

  FaultRun(FaultPlan plan, Scheduler scheduler) {
    this.scheduler = scheduler;
    originNanos = scheduler.nowNanos();
    RandomSource randoms = new RandomSource(plan.seed());
    for (Statement statement : plan.statements()) {
      if (statement instanceof PacketStatement fault) {
        faults.add(new ActiveFault(fault, randoms.of(fault)));
      }
    }
  }

  Scheduler scheduler() {
    return scheduler;
  }

  Map<InetAddress, LateTraffic> stations() {
    return stations;
  }

  /** What becomes of the next packet. */
  synchronized Fate fateOf(Traffic traffic) {
    Passing passing = new Passing(traffic, scheduler.nowNanos() - originNanos, codec);
    List<Fate.Taken> taken = new ArrayList<>();
    for (ActiveFault fault : faults) {
      Fate.Taken one = fault.look(passing);
      if (one != null) {
        taken.add(one);
      }
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

  synchronized Map<String, Long> taken() {
    Map<String, Long> counts = new LinkedHashMap<>();
    faults.forEach(fault -> counts.merge(fault.toString(), fault.taken(), Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

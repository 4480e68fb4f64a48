package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.emulator.fabric.Station;
import java.net.InetAddress;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Another fabric on which a {@link FaultPlan} is carried out, on the way out of every station. In
 * virtual time the same plan and the same work give the same faults. Traces and captures see what
 * became of each packet, and which statement of the plan did that. Thread-safe as far as that
 * fabric is.
 */
public final class FaultFabric implements Fabric {
  private final Fabric fabric;
  private final FaultRun run;

  /**
   * Carries a plan out on a fabric, beginning now.
   *
   * @param fabric what carries the packets, closed with this one
   * @param plan what goes wrong
   */
  public FaultFabric(Fabric fabric, FaultPlan plan) {
    this(fabric, new FaultRun(plan, fabric.scheduler()));
  }

  private FaultFabric(Fabric fabric, FaultRun run) {
    this.fabric = fabric;
    this.run = run;
  }

  @Override
  public Scheduler scheduler() {
    return fabric.scheduler();
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    LateTraffic late = new LateTraffic(station, fabric.scheduler());
    Link link = fabric.attach(address, late);
    late.leavesThrough(link);
    run.stations().put(address, late);
    return new FaultLink(run, link, late) {
      @Override
      public void close() {
        run.stations().remove(address, late);
        super.close();
      }
    };
  }

  /** Observers see what became of the packets: they go beneath the plan, which stays one. */
  @Override
  public Fabric observed(UnaryOperator<Fabric> observer) {
    return new FaultFabric(fabric.observed(observer), run);
  }

  /**
   * How often each statement of the plan was carried out.
   *
   * @return times since the beginning by statement, in the order of the plan
   */
  public Map<String, Long> taken() {
    return run.taken();
  }

  @Override
  public void close() {
    fabric.close();
  }
}

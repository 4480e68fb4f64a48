// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Fabric;
import io.queuepair.emulator.fabric.ForwardingFabric;
import io.queuepair.emulator.fabric.Link;
import io.queuepair.emulator.fabric.Station;
import java.net.InetAddress;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A fabric that applies a {@link FaultPlan} to the outgoing traffic of every station. In virtual
 * time the same plan and work give the same faults. Traces and captures show what happened to each
 * packet, and by which statement. Thread-safe as far as the decorated fabric is.
 */
public final class FaultFabric extends ForwardingFabric {
  private final FaultInjector injector;

  /**
   * Applies a plan to a fabric, beginning now.
   *
   * @param fabric what carries the packets, closed with this one
   * @param plan what goes wrong
   */
  public FaultFabric(Fabric fabric, FaultPlan plan) {
    this(fabric, new FaultInjector(plan, fabric.scheduler(), false));
  }

  private FaultFabric(Fabric fabric, FaultInjector injector) {
    super(fabric);
    this.injector = injector;
  }

  /**
   * Applies a plan to a fabric, beginning now, and records the faults of each packet as long as the
   * fabric exists.
   *
   * @param fabric what carries the packets, closed with this one
   * @param plan what goes wrong
   * @return a fabric that can tell its {@link #appliedPlan}
   */
  public static FaultFabric recording(Fabric fabric, FaultPlan plan) {
    return new FaultFabric(fabric, new FaultInjector(plan, fabric.scheduler(), true));
  }

  @Override
  public Link attach(InetAddress address, Station station) {
    return faulty(address, station, super.attach(address, station));
  }

  /**
   * Applies the plan to a link that was attached to the decorated fabric directly.
   *
   * @param address under which the station is attached
   * @param station receiver of the link
   * @param link link of the station
   * @return link that the station must use instead; it may change over between two turns only
   */
  public Link faulty(InetAddress address, Station station, Link link) {
    DelayQueue delayQueue = new DelayQueue(address, station, link, inner());
    injector.stations().put(address, delayQueue);
    return new FaultLink(injector, inner(), link, delayQueue) {
      @Override
      public void close() {
        injector.stations().remove(address, delayQueue);
        super.close();
      }
    };
  }

  /**
   * Adds a plan, which begins now.
   *
   * @param plan what goes wrong
   */
  public void injectFaults(FaultPlan plan) {
    injector.add(plan);
  }

  /** Ends all plans. Packets that are delayed already stay so. */
  public void clear() {
    injector.clear();
  }

  /**
   * Adds observers beneath the plan, so that they see packets with their faults. The plan is
   * shared.
   */
  @Override
  public Fabric observed(UnaryOperator<Fabric> observer) {
    return new FaultFabric(inner().observed(observer), injector);
  }

  /**
   * How often each statement of the plan was carried out.
   *
   * @return times since the beginning by statement, in the order of the plan
   */
  public Map<String, Long> applied() {
    return injector.applied();
  }

  /**
   * Faults done to packets so far, as a plan in which each fault is a statement about that one
   * packet: {@code drop 2nd RC_SEND_ONLY to 10.0.0.2 qp 17 psn 4}. On the same work it has the same
   * effects, except that the flipped bit of a corrupted byte is chosen at random again. Faults of
   * traffic that is no RoCE packet are left out; statements about hosts stay as they are.
   *
   * @return a plan that does not depend on probabilities
   * @throws IllegalStateException if the faults are not recorded
   */
  public FaultPlan appliedPlan() {
    return injector.asTaken();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.faults;

import io.queuepair.emulator.fabric.Scheduler;
import io.queuepair.verbs.Errno;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Injects the device faults of a plan: devices ask it before each verb, and it acts on them at set
 * times. Thread-safe.
 */
public final class DeviceFaults {
  private final Scheduler scheduler;

  /** Active statements. The list is replaced, never changed: readers need no lock. */
  private volatile List<CountedStatement> statements = List.of();

  private final List<FaultTarget> targets = new ArrayList<>();
  private final List<ScheduledFault> scheduledFaults = new ArrayList<>();

  /** How often statements that have ended were carried out. */
  private final Map<String, Long> ended = new LinkedHashMap<>();

  private static final class CountedStatement {
    private final DeviceStatement statement;
    private final SplittableRandom random;
    private final long originNanos;
    private long matched;
    private long applied;

    private CountedStatement(DeviceStatement statement, SplittableRandom random, long originNanos) {
      this.statement = statement;
      this.random = random;
      this.originNanos = originNanos;
    }
  }

  /** A device that faults are injected into. */
  public interface FaultTarget {
    /**
     * Whether the device has an address.
     *
     * @param address of a host of the plan
     * @return true if the device has it
     */
    boolean has(InetAddress address);

    /**
     * Takes the port with an address down or up.
     *
     * @param address which the device has
     * @param up whether the port is up from now on
     * @param why the statement of the plan
     */
    void setPortUp(InetAddress address, boolean up, String why);

    /**
     * Lets the device fail.
     *
     * @param why the statement of the plan
     */
    void fail(String why);

    /**
     * Gives its completion queues no room, or room again.
     *
     * @param hasRoom whether there is room from now on
     * @param why the statement of the plan
     */
    void setCompletionRoom(boolean hasRoom, String why);
  }

  /**
   * Reason why a call of a verb fails.
   *
   * @param errno error that the call returns
   * @param text message that names the statement of the plan
   */
  public record VerbFailure(Errno errno, String text) {}

  /**
   * Creates an injector without a plan.
   *
   * @param scheduler clock and timers of the network
   */
  public DeviceFaults(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Adds a plan, which begins now.
   *
   * @param plan the plan; only its statements about devices count
   */
  public synchronized void add(FaultPlan plan) {
    RandomSource randoms = new RandomSource(plan.seed());
    List<CountedStatement> newStatements = new ArrayList<>(statements);
    for (FaultStatement statement : plan.statements()) {
      if (statement instanceof DeviceStatement device) {
        CountedStatement counted =
            new CountedStatement(device, randoms.of(statement), scheduler.nowNanos());
        newStatements.add(counted);
        targets.forEach(target -> schedule(counted, target));
      }
    }
    statements = List.copyOf(newStatements);
  }

  /**
   * Ends all plans: ports that a plan took down come up again, and completion queues that a plan
   * filled have room again. A device that has failed stays so.
   */
  public void clear() {
    List<ScheduledFault> endedFaults;
    synchronized (this) {
      statements.forEach(
          counted -> ended.merge(counted.statement.toString(), counted.applied, Long::sum));
      statements = List.of();
      endedFaults = List.copyOf(scheduledFaults);
      scheduledFaults.clear();
    }
    endedFaults.forEach(ScheduledFault::end);
  }

  /**
   * Whether a call of a verb is to fail.
   *
   * @param verb name of the C function
   * @param isOurs whether the called device has an address
   * @return why it fails; null if it does not
   */
  public @Nullable VerbFailure refusalOf(String verb, Predicate<InetAddress> isOurs) {
    return statements.isEmpty() ? null : decide(verb, isOurs);
  }

  private synchronized @Nullable VerbFailure decide(String verb, Predicate<InetAddress> isOurs) {
    long nowNanos = scheduler.nowNanos();
    VerbFailure failure = null;
    for (CountedStatement counted : statements) {
      if (counted.statement instanceof DeviceStatement.Refusing refusing
          && refusing.isAbout(verb)
          && (refusing.host() == null || isOurs.test(refusing.host()))
          && refusing.during().holds(nowNanos - counted.originNanos)) {
        counted.matched++;
        if (failure == null && refusing.matchCount().takes(counted.matched, counted.random)) {
          counted.applied++;
          failure = new VerbFailure(refusing.errno(), "the fault plan says: " + refusing);
        }
      }
    }
    return failure;
  }

  /**
   * Adds a device and schedules the faults of all plans at it.
   *
   * @param target the device
   */
  public synchronized void schedule(FaultTarget target) {
    targets.add(target);
    statements.forEach(counted -> schedule(counted, target));
  }

  private void schedule(CountedStatement counted, FaultTarget target) {
    String why = counted.statement.toString();
    InetAddress host = counted.statement.host();
    if (counted.statement instanceof DeviceStatement.PortDown down) {
      ScheduledFault fault =
          new ScheduledFault(counted, target, isDown -> target.setPortUp(host, !isDown, why));
      fault.arm(down.during());
    } else if (counted.statement instanceof DeviceStatement.ExhaustSpace exhaust) {
      ScheduledFault fault =
          new ScheduledFault(counted, target, isFull -> target.setCompletionRoom(!isFull, why));
      fault.arm(exhaust.during());
    } else if (counted.statement instanceof DeviceStatement.Kill kill) {
      ScheduledFault fault = new ScheduledFault(counted, target, dies -> fail(target, dies, why));
      fault.arm(new Condition.During(kill.atNanos(), 0));
    }
  }

  /** Fails a device when the fault begins; nothing ends it, as a dead device stays dead. */
  private static void fail(FaultTarget target, boolean dies, String why) {
    if (dies) {
      target.fail(why);
    }
  }

  /** Fault of a device that begins at a time, and possibly ends at another. */
  private final class ScheduledFault {
    private final CountedStatement counted;
    private final FaultTarget target;
    private final Switch effect;
    private final Scheduler.Timer beginTimer;
    private final Scheduler.Timer endTimer;
    private boolean isOn;

    private ScheduledFault(CountedStatement counted, FaultTarget target, Switch effect) {
      this.counted = counted;
      this.target = target;
      this.effect = effect;
      beginTimer = scheduler.timer(() -> run(true));
      endTimer = scheduler.timer(this::end);
      scheduledFaults.add(this);
    }

    private void arm(Condition.During during) {
      beginTimer.arm(counted.originNanos + during.atNanos());
      if (during.forNanos() > 0) {
        endTimer.arm(counted.originNanos + during.endNanos());
      }
    }

    /** Ends the fault if it has begun, and prevents it from beginning later. */
    private void end() {
      beginTimer.disarm();
      endTimer.disarm();
      run(false);
    }

    private void run(boolean on) {
      synchronized (DeviceFaults.this) {
        if (isOn == on || !target.has(counted.statement.host())) {
          return;
        }
        isOn = on;
        counted.applied += on ? 1 : 0;
      }
      effect.set(on);
    }
  }

  private interface Switch {
    void set(boolean isOn);
  }

  /**
   * How often each statement was carried out.
   *
   * @return number of times by statement, in the order of the plan
   */
  public synchronized Map<String, Long> applied() {
    Map<String, Long> counts = new LinkedHashMap<>(ended);
    statements.forEach(
        counted -> counts.merge(counted.statement.toString(), counted.applied, Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

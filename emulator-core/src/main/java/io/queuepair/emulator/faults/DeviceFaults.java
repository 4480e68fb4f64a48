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

/**
 * The part of a plan that is about devices, being carried out: devices ask it before each verb, and
 * it tells them at its times. Thread-safe.
 */
public final class DeviceFaults {
  private final Scheduler scheduler;

  /**
   * Statements that are carried out; replaced, never changed, so that it is read without a lock.
   */
  private volatile List<Counted> faults = List.of();

  private final List<Target> targets = new ArrayList<>();
  private final List<Act> acts = new ArrayList<>();

  /** How often statements that have ended were carried out. */
  private final Map<String, Long> ended = new LinkedHashMap<>();

  /** A statement, and what it has counted. */
  private static final class Counted {
    private final DeviceStatement statement;
    private final SplittableRandom random;
    private final long originNanos;
    private long matched;
    private long taken;

    private Counted(DeviceStatement statement, SplittableRandom random, long originNanos) {
      this.statement = statement;
      this.random = random;
      this.originNanos = originNanos;
    }
  }

  /** A device to which things happen. */
  public interface Target {
    /**
     * Whether the device has an address.
     *
     * @param address of a host of the plan
     * @return true if it is one of its own
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
   * Why a call of a verb fails.
   *
   * @param errno what it returns
   * @param text names the statement of the plan
   */
  public record Refusal(Errno errno, String text) {}

  /**
   * Without a plan.
   *
   * @param scheduler the time of the network
   */
  public DeviceFaults(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Carries out a plan, too, which begins now.
   *
   * @param plan of which only the statements about devices count
   */
  public synchronized void add(FaultPlan plan) {
    RandomSource randoms = new RandomSource(plan.seed());
    List<Counted> more = new ArrayList<>(faults);
    for (Statement statement : plan.statements()) {
      if (statement instanceof DeviceStatement device) {
        Counted counted = new Counted(device, randoms.of(statement), scheduler.nowNanos());
        more.add(counted);
        targets.forEach(target -> schedule(counted, target));
      }
    }
    faults = List.copyOf(more);
  }

  /**
   * Ends all plans: ports that are down come up again and completion queues have room, as far as a
   * plan did that. A device that has failed stays so.
   */
  public void clear() {
    List<Act> over;
    synchronized (this) {
      faults.forEach(one -> ended.merge(one.statement.toString(), one.taken, Long::sum));
      faults = List.of();
      over = List.copyOf(acts);
      acts.clear();
    }
    over.forEach(Act::end);
  }

  /**
   * Whether a call of a verb is to fail.
   *
   * @param verb name of the C function
   * @param isOurs whether the device that is called has an address
   * @return why; null if it does not
   */
  public Refusal refusalOf(String verb, Predicate<InetAddress> isOurs) {
    return faults.isEmpty() ? null : decide(verb, isOurs);
  }

  private synchronized Refusal decide(String verb, Predicate<InetAddress> isOurs) {
    long nowNanos = scheduler.nowNanos();
    Refusal refusal = null;
    for (Counted counted : faults) {
      if (counted.statement instanceof DeviceStatement.Refusing refusing
          && refusing.isAbout(verb)
          && (refusing.host() == null || isOurs.test(refusing.host()))
          && refusing.during().holds(nowNanos - counted.originNanos)) {
        counted.matched++;
        if (refusal == null && refusing.amount().takes(counted.matched, counted.random)) {
          counted.taken++;
          refusal = new Refusal(refusing.errno(), "the fault plan says: " + refusing);
        }
      }
    }
    return refusal;
  }

  /**
   * Sees to it that a device is told in time.
   *
   * @param target the device
   */
  public synchronized void schedule(Target target) {
    targets.add(target);
    faults.forEach(counted -> schedule(counted, target));
  }

  private void schedule(Counted counted, Target target) {
    String why = counted.statement.toString();
    InetAddress host = counted.statement.host();
    if (counted.statement instanceof DeviceStatement.PortDown down) {
      Act act = new Act(counted, target, isDown -> target.setPortUp(host, !isDown, why));
      act.arm(down.during());
    } else if (counted.statement instanceof DeviceStatement.ExhaustSpace exhaust) {
      Act act = new Act(counted, target, isFull -> target.setCompletionRoom(!isFull, why));
      act.arm(exhaust.during());
    } else if (counted.statement instanceof DeviceStatement.Kill kill) {
      Act act = new Act(counted, target, dies -> fail(target, dies, why));
      act.arm(new Condition.During(kill.atNanos(), 0));
    }
  }

  /** A dead device does not come back. */
  private static void fail(Target target, boolean dies, String why) {
    if (dies) {
      target.fail(why);
    }
  }

  /** What happens to a device at a time, and maybe ends at another. */
  private final class Act {
    private final Counted counted;
    private final Target target;
    private final Switch effect;
    private final Scheduler.Timer begin;
    private final Scheduler.Timer end;
    private boolean isOn;

    private Act(Counted counted, Target target, Switch effect) {
      this.counted = counted;
      this.target = target;
      this.effect = effect;
      begin = scheduler.timer(() -> run(true));
      end = scheduler.timer(this::end);
      acts.add(this);
    }

    private void arm(Condition.During during) {
      begin.arm(counted.originNanos + during.atNanos());
      if (during.forNanos() > 0) {
        end.arm(counted.originNanos + during.endNanos());
      }
    }

    /** Ends what has begun, and does not begin any more. */
    private void end() {
      begin.disarm();
      end.disarm();
      run(false);
    }

    private void run(boolean on) {
      synchronized (DeviceFaults.this) {
        if (isOn == on || !target.has(counted.statement.host())) {
          return;
        }
        isOn = on;
        counted.taken += on ? 1 : 0;
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
   * @return times since the beginning by statement, in the order of the plan
   */
  public synchronized Map<String, Long> taken() {
    Map<String, Long> counts = new LinkedHashMap<>(ended);
    faults.forEach(one -> counts.merge(one.statement.toString(), one.taken, Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

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
  private final long originNanos;
  private final List<Counted> faults = new ArrayList<>();

  /** A statement, and what it has counted. */
  private static final class Counted {
    private final DeviceStatement statement;
    private final SplittableRandom random;
    private long matched;
    private long taken;

    private Counted(DeviceStatement statement, SplittableRandom random) {
      this.statement = statement;
      this.random = random;
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
   * Begins now.
   *
   * @param plan of which only the statements about devices count
   * @param scheduler the time of the network
   */
  public DeviceFaults(FaultPlan plan, Scheduler scheduler) {
    this.scheduler = scheduler;
    originNanos = scheduler.nowNanos();
    RandomSource randoms = new RandomSource(plan.seed());
    for (Statement statement : plan.statements()) {
      if (statement instanceof DeviceStatement device) {
        faults.add(new Counted(device, randoms.of(statement)));
      }
    }
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
    long nanos = scheduler.nowNanos() - originNanos;
    Refusal refusal = null;
    for (Counted counted : faults) {
      if (counted.statement instanceof DeviceStatement.Refusing refusing
          && refusing.isAbout(verb)
          && (refusing.host() == null || isOurs.test(refusing.host()))
          && refusing.during().holds(nanos)) {
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
  public void schedule(Target target) {
    for (Counted counted : faults) {
      String why = counted.statement.toString();
      InetAddress host = counted.statement.host();
      if (counted.statement instanceof DeviceStatement.PortDown down) {
        Act act = new Act(counted, target, isDown -> target.setPortUp(host, !isDown, why));
        act.arm(down.during());
      } else if (counted.statement instanceof DeviceStatement.ExhaustSpace exhaust) {
        Act act = new Act(counted, target, isFull -> target.setCompletionRoom(!isFull, why));
        act.arm(exhaust.during());
      } else if (counted.statement instanceof DeviceStatement.Kill kill) {
        Act act = new Act(counted, target, dies -> target.fail(why));
        act.arm(new Condition.During(kill.atNanos(), 0));
      }
    }
  }

  /** What happens to a device at a time, and maybe ends at another. */
  private final class Act {
    private final Counted counted;
    private final Target target;
    private final Switch effect;

    private Act(Counted counted, Target target, Switch effect) {
      this.counted = counted;
      this.target = target;
      this.effect = effect;
    }

    private void arm(Condition.During during) {
      scheduler.timer(() -> run(true)).arm(originNanos + during.atNanos());
      if (during.forNanos() > 0) {
        scheduler.timer(() -> run(false)).arm(originNanos + during.endNanos());
      }
    }

    private void run(boolean isOn) {
      if (!target.has(counted.statement.host())) {
        return;
      }
      if (isOn) {
        synchronized (DeviceFaults.this) {
          counted.taken++;
        }
      }
      effect.set(isOn);
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
    Map<String, Long> counts = new LinkedHashMap<>();
    faults.forEach(one -> counts.merge(one.statement.toString(), one.taken, Long::sum));
    return Collections.unmodifiableMap(counts);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.robustness;

import com.sun.management.OperatingSystemMXBean;
import io.queuepair.emulator.Emulator;
import io.queuepair.udp.UdpFabric;
import io.queuepair.udp.UdpOptions;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Attacks a device over UDP on the loopback interface, and looks at a bystander meanwhile: its
 * connection must not fail, and the median of its WRITEs must stay within ten times that of an idle
 * device. Exits 1 if it does not. The median says something only where the processors have time for
 * both, as a thread that waits for a processor waits longer than a WRITE takes: if others keep them
 * busy before or after the attack, it is printed and not judged. Others may keep them busy only
 * during the attack, which makes a WRITE slower but never faster: what was too slow is measured
 * again, and the best of three runs counts.
 */
@CommandLine.Command(name = "wire-attack", mixinStandardHelpOptions = true)
final class WireAttack implements Callable<Integer> {
  private static final String GOOD = "ok";
  private static final String SLOW = "the bystander is too slow";
  private static final String TARGET = "127.0.77.1";
  private static final String BYSTANDER = "127.0.77.2";
  private static final String ATTACKER = "127.0.77.66";
  private static final double MOST_TIMES_IDLE = 10;
  private static final int MOST_RUNS = 3;

  /** Of all processors together, without an attack; the idle device and its bystander need less. */
  private static final double BUSY = 0.7;

  private static final long PAUSE_NANOS = 1_000_000;

  @Option(
      names = "--seconds",
      defaultValue = "10",
      description = "how long each attack lasts (default ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--port",
      defaultValue = "4791",
      description = "UDP port of all of them (default ${DEFAULT-VALUE})")
  private int port;

  @Parameters(paramLabel = "ATTACK", description = "which: ${COMPLETION-CANDIDATES} (default all)")
  private List<Attack> attacks = List.of(Attack.values());

  private final OperatingSystemMXBean machine =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private WireAttack() {}

  /** Runs the program. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new WireAttack()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws InterruptedException, UnknownHostException {
    boolean isGood = true;
    for (Attack attack : attacks) {
      isGood &= survives(attack);
    }
    return isGood ? 0 : 1;
  }

  private boolean survives(Attack attack) throws InterruptedException, UnknownHostException {
    String trouble = carryOut(attack);
    for (int run = 1; trouble.equals(SLOW) && run < MOST_RUNS; run++) {
      trouble = carryOut(attack);
    }
    return trouble.equals(GOOD);
  }

  /**
   * With new devices each time, so that no attack is still running while the next one is measured.
   *
   * @return what went wrong, or {@link #GOOD}
   */
  private String carryOut(Attack attack) throws InterruptedException, UnknownHostException {
    UdpOptions options = UdpOptions.defaults().withPort(port);
    try (Emulator attacked = Emulator.on(UdpFabric.open(options));
        Emulator elsewhere = Emulator.on(UdpFabric.open(options))) {
      AttackedDevice target = new AttackedDevice(attacked, TARGET);
      BystanderConnection bystander = new BystanderConnection(elsewhere, BYSTANDER, target.pd());
      long nanos = TimeUnit.SECONDS.toNanos(seconds);
      bystander.work(nanos / 4);
      machine.getCpuLoad(); // The next one is of the time in between.
      BystanderConnection.Times idle = bystander.work(nanos / 2);
      boolean wasIdle = machine.getCpuLoad() < BUSY;
      InetAddress own = InetAddress.getByName(ATTACKER);
      InetAddress there = InetAddress.getByName(TARGET);
      try (WireAttacker attacker = new WireAttacker(own, there, port, target.connectTo(own))) {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread = new Thread(() -> attack(attack, attacker, end), "attacker");
        thread.start();
        BystanderConnection.Times beside = bystander.work(nanos);
        end.countDown();
        thread.join();
        boolean isBroken = target.isBroken();
        target.disconnect();
        boolean isJudged = wasIdle && isIdle(bystander, nanos / 4);
        boolean isSlow = isJudged && beside.medianMicros() > MOST_TIMES_IDLE * idle.medianMicros();
        String trouble = trouble(beside.failure(), isSlow, isBroken);
        report(attack, attacker, idle, beside);
        System.out.println(
            isJudged ? trouble : trouble + ", the machine is busy: times not judged");
        return trouble;
      }
    }
  }

  private boolean isIdle(BystanderConnection bystander, long nanos) {
    machine.getCpuLoad();
    bystander.work(nanos);
    return machine.getCpuLoad() < BUSY;
  }

  private static void attack(Attack attack, WireAttacker attacker, CountDownLatch end) {
    attack.begin(attacker);
    while (end.getCount() > 0) {
      for (int i = 0; i < attack.stepsPerMillisecond(); i++) {
        attack.step(attacker);
      }
      attacker.readAnswers();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private static String trouble(String failure, boolean isSlow, boolean isBroken) {
    if (!failure.isEmpty()) {
      return "the bystander failed: " + failure;
    }
    if (isBroken) {
      return "the attacker's queue pairs are in an error state, so that there was no attack";
    }
    return isSlow ? SLOW : GOOD;
  }

  private static void report(
      Attack attack,
      WireAttacker attacker,
      BystanderConnection.Times idle,
      BystanderConnection.Times beside) {
    System.out.printf(
        Locale.ROOT,
        "%-10s %d packets, %d answers; %d WRITEs beside it, median %.0f us, idle %.0f us, x %.1f: ",
        attack.name().toLowerCase(Locale.ROOT),
        attacker.sent(),
        attacker.answers(),
        beside.count(),
        beside.medianMicros(),
        idle.medianMicros(),
        beside.medianMicros() / idle.medianMicros());
  }
}

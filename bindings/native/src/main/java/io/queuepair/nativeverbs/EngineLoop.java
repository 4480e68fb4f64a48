// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.emulator.fabric.DrivenScheduler;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The thread that answers the verbs that cannot wait, and moves the network. When there is nothing
 * to do it spins, gives its processor away, and then sleeps until a program rings its bell.
 */
final class EngineLoop {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int SPINS = 20;
  private static final int FEW_YIELDS = 200;
  private static final int YIELDS = 1000;
  private static final int REFUSALS = 64;

  /** Failures in the log. */
  private static final int MAX_FAILURES = 100;

  /** Events of the network between two looks at the programs. */
  private static final int MAX_EVENTS = 64;

  /** Programs that spin never yield: between them and this thread turns should be short. */
  private static final long SLICE_NANOS = 100_000;

  private static final long MAX_SLEEP_NANOS = 3_600_000_000_000L;

  private final DrivenScheduler scheduler = new DrivenScheduler(this::wake);
  private final ByteBuffer status;
  private final Runnable whenIdle;
  private final int bells = Kernel.required(Kernel.epoll());
  private final int ownBell = Kernel.required(Kernel.eventFd());
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  private int refusals;
  private int failures;

  /** Replaced as a whole. */
  private volatile AttachedProgram[] programs = {};

  /**
   * Is to be started.
   *
   * @param status page that programs see
   * @param whenIdle what the thread runs each time it has had nothing to do for a while
   */
  EngineLoop(ByteBuffer status, Runnable whenIdle) {
    this.status = status;
    this.whenIdle = whenIdle;
    Kernel.required(Kernel.watch(bells, ownBell, Kernel.READABLE | Kernel.EDGE_TRIGGERED, 0));
  }

  DrivenScheduler scheduler() {
    return scheduler;
  }

  synchronized void add(AttachedProgram program) {
    AttachedProgram[] more = Arrays.copyOf(programs, programs.length + 1);
    more[programs.length] = program;
    Kernel.required(Kernel.watch(bells, program.bell, Kernel.READABLE | Kernel.EDGE_TRIGGERED, 0));
    programs = more;
  }

  /** Answers a program no more; runs what follows when that is so. */
  synchronized void remove(AttachedProgram program, Runnable next) {
    programs = Stream.of(programs).filter(each -> each != program).toArray(AttachedProgram[]::new);
    Kernel.unwatch(bells, program.bell);
    execute(next);
  }

  /** Lets the thread run something between two turns. */
  void execute(Runnable task) {
    tasks.add(task);
    wake();
  }

  private void wake() {
    if ((int) INT.getVolatile(status, Protocol.STATUS_SLEEPS) != 0) {
      Kernel.ring(ownBell);
    }
  }

  /** Runs for ever. */
  void runForever() {
    Kernel.setSlice(SLICE_NANOS);
    int idle = 0;
    while (true) {
      if (turn()) {
        idle = 0;
      } else if (++idle < SPINS) {
        Thread.onSpinWait();
      } else if (idle < SPINS + YIELDS) {
        if (idle == SPINS + FEW_YIELDS) {
          doWhenIdle();
        }
        idle = yieldBriefly() ? idle : SPINS + YIELDS;
      } else {
        doWhenIdle();
        sleep();
        idle = 0;
      }
    }
  }

  private void doWhenIdle() {
    try {
      whenIdle.run();
    } catch (RuntimeException bug) {
      say(bug);
    }
  }

  /** Writes a failure to the log, which has the first ones only: some come in each turn. */
  synchronized void say(Throwable bug) {
    if (failures < MAX_FAILURES) {
      failures++;
      System.err.println("queuepair: the service continues after " + bug);
    }
  }

  /** Whether something was done. A failure of one program does not stop the others. */
  private boolean turn() {
    boolean hasFound = runTasks();
    for (AttachedProgram program : programs) {
      hasFound |= answers(program, AttachedProgram::answerCalls);
    }
    for (AttachedProgram program : programs) {
      hasFound |= answers(program, AttachedProgram::takeReceives);
    }
    return runNetwork() || hasFound;
  }

  private boolean runTasks() {
    boolean hasFound = false;
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      try {
        task.run();
      } catch (RuntimeException | Error bug) {
        say(bug);
      }
      hasFound = true;
    }
    return hasFound;
  }

  private boolean answers(AttachedProgram program, Predicate<AttachedProgram> answering) {
    try {
      return answering.test(program);
    } catch (RuntimeException | Error bug) {
      say(bug);
      return true;
    }
  }

  private boolean runNetwork() {
    try {
      return scheduler.runDue(MAX_EVENTS) > 0;
    } catch (RuntimeException | Error bug) {
      say(bug);
      return true;
    }
  }

  /**
   * Whether it took no longer than a turn of ours: otherwise another program uses the processor and
   * never yields, and for some calls it is not tried again.
   */
  private boolean yieldBriefly() {
    if (refusals > 0) {
      refusals--;
      return false;
    }
    long start = System.nanoTime();
    Kernel.schedYield();
    boolean isBrief = System.nanoTime() - start < SLICE_NANOS;
    refusals = isBrief ? 0 : REFUSALS;
    return isBrief;
  }

  private void sleep() {
    INT.setVolatile(status, Protocol.STATUS_SLEEPS, 1);
    VarHandle.fullFence();
    long nanos = scheduler.nanosToNext();
    if (nanos > 0 && tasks.isEmpty() && !isCalled()) {
      Kernel.awaitBells(bells, Math.min(nanos, MAX_SLEEP_NANOS));
    }
    INT.setVolatile(status, Protocol.STATUS_SLEEPS, 0);
  }

  private boolean isCalled() {
    for (AttachedProgram program : programs) {
      if (program.isCalling()) {
        return true;
      }
    }
    return false;
  }
}

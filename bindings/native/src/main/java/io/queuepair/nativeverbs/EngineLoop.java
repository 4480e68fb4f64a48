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
 * Thread that answers verbs that cannot wait, and runs the network. While idle it spins, then
 * yields its processor, then sleeps until a program rings its bell, an eventfd.
 */
final class EngineLoop {
  private static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private static final int SPINS = 20;
  private static final int FEW_YIELDS = 200;
  private static final int YIELDS = 1000;
  private static final int FEW_REFUSALS = 8;
  private static final int MAX_REFUSALS = 4096;

  /** Limit of failures in the log. */
  private static final int MAX_FAILURES = 100;

  /** Events of the network between two looks at the programs. */
  private static final int MAX_EVENTS = 64;

  /**
   * Time slice of this thread while it sleeps between messages: short, so that it is woken at once
   * beside programs that spin and never yield the processor to it. While it yields it has the slice
   * of the programs: a yield costs a slice, and a shorter one would have it back before them.
   */
  private static final long SHORT_SLICE_NANOS = 100_000;

  private static final long DEFAULT_SLICE = 0;
  private static final long BRIEF_NANOS = 100_000;

  /** Sleep after which the service counts as idle, if yields are refused. */
  private static final long IDLE_NANOS = 1_000_000;

  private static final long MAX_SLEEP_NANOS = 3_600_000_000_000L;

  private final DrivenScheduler scheduler = new DrivenScheduler(this::wake);
  private final ByteBuffer status;
  private final Runnable whenIdle;
  private final int bells = Kernel.required(Kernel.epoll());
  private final int ownBell = Kernel.required(Kernel.eventFd());
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Yields that are refused from now on, and those after the next one that takes long. */
  private int refusals;

  private int nextRefusals = FEW_REFUSALS;
  private long slice = DEFAULT_SLICE;
  private int failures;

  /** Thread of the loop as the kernel sees it; null until it runs. */
  private volatile KernelThread thread;

  /** Copied on write. */
  private volatile AttachedProgram[] programs = {};

  /**
   * Creates the loop, which {@link #runForever} starts.
   *
   * @param status page that programs see
   * @param whenIdle runs on this thread each time it has been idle for a while
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

  /** Stops answering a program; {@code next} runs on the engine after that. */
  synchronized void remove(AttachedProgram program, Runnable next) {
    programs = Stream.of(programs).filter(each -> each != program).toArray(AttachedProgram[]::new);
    Kernel.unwatch(bells, program.bell);
    execute(next);
  }

  /** Runs a task on the engine, between two turns. */
  void execute(Runnable task) {
    tasks.add(task);
    wake();
  }

  private void wake() {
    if ((int) INT.getVolatile(status, Protocol.STATUS_SLEEPS) != 0) {
      Kernel.ring(ownBell);
    }
  }

  void runForever() {
    thread = KernelThread.current();
    int idle = 0;
    while (true) {
      if (turn()) {
        idle = 0;
      } else if (refusals > 0) {
        boolean isRung = sleep(IDLE_NANOS);
        refusals = isRung ? refusals - 1 : 0;
        idle = isRung ? 0 : SPINS + YIELDS;
      } else if (++idle < SPINS) {
        Thread.onSpinWait();
      } else if (idle < SPINS + YIELDS) {
        if (idle == SPINS + FEW_YIELDS) {
          doWhenIdle();
        }
        idle = yieldBriefly() ? idle : SPINS + YIELDS;
      } else {
        doWhenIdle();
        sleep(MAX_SLEEP_NANOS);
        idle = 0;
      }
    }
  }

  /** Whether the thread waits in the kernel, for something else than a processor. */
  boolean isWaiting() {
    return thread.isWaiting();
  }

  private void doWhenIdle() {
    try {
      whenIdle.run();
    } catch (RuntimeException | Error bug) {
      say(bug);
    }
  }

  /** Writes a failure to the log, up to {@link #MAX_FAILURES} of them: some occur in each turn. */
  synchronized void say(Throwable bug) {
    if (failures < MAX_FAILURES) {
      failures++;
      try {
        System.err.println("queuepair: the service continues after " + bug);
      } catch (OutOfMemoryError again) {
        return; // Without memory for the line it continues, too.
      }
    }
  }

  /** Runs a turn; returns whether there was work. A failing program does not stop the others. */
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
   * Yields the processor; returns whether it was back soon. If not, another program uses the
   * processor and never yields: then the next yields are refused, more of them each time.
   */
  private boolean yieldBriefly() {
    setSlice(DEFAULT_SLICE);
    long start = System.nanoTime();
    Kernel.schedYield();
    boolean isBrief = System.nanoTime() - start < BRIEF_NANOS;
    refusals = isBrief ? 0 : nextRefusals;
    nextRefusals =
        isBrief
            ? Math.max(nextRefusals / 2, FEW_REFUSALS)
            : Math.min(2 * nextRefusals, MAX_REFUSALS);
    return isBrief;
  }

  private void setSlice(long nanos) {
    if (slice != nanos) {
      slice = nanos;
      Kernel.setSlice(nanos);
    }
  }

  /** Sleeps until a program rings or an event is due; false if {@code most} has passed. */
  private boolean sleep(long most) {
    setSlice(SHORT_SLICE_NANOS);
    INT.setVolatile(status, Protocol.STATUS_SLEEPS, 1);
    VarHandle.fullFence();
    long nanos = scheduler.nanosToNext();
    boolean isRung = nanos <= 0 || !tasks.isEmpty() || isCalled();
    if (!isRung) {
      isRung = Kernel.awaitBells(bells, Math.min(nanos, most)) != 0 || nanos < most;
    }
    INT.setVolatile(status, Protocol.STATUS_SLEEPS, 0);
    return isRung;
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

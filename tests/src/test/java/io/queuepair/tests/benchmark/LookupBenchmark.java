// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.benchmark;

import io.queuepair.emulator.memory.AccessContext;
import io.queuepair.emulator.memory.MemoryFault;
import io.queuepair.emulator.memory.MemoryRange;
import io.queuepair.emulator.memory.MemoryTable;
import io.queuepair.emulator.memory.QpIncarnation;
import io.queuepair.emulator.memory.RegisteredMemory;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.emulator.queue.Ring;
import io.queuepair.emulator.wire.Payload;
import io.queuepair.verbs.AccessFlag;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Lookups on the way of a packet, and when a queue pair changes its state. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookupBenchmark {
  private static final int REGION_BYTES = 64;
  private static final int DOMAIN = 1;

  /** Memory regions that are registered. */
  @Param({"1", "1000", "100000"})
  public int regions;

  private final MemoryTable memory = new MemoryTable();
  private final AccessContext peer = new AccessContext(DOMAIN, new QpIncarnation());
  private final TransitionTable transitions = TransitionTable.documented();
  private final Ring<String> ring = new Ring<>(1024);
  private RegisteredMemory region;
  private MemoryRange range;

  /** Registers them; the one in the middle is looked up. */
  @Setup
  public void register() {
    EnumSet<AccessFlag> access = EnumSet.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    ByteBuffer bytes = ByteBuffer.allocateDirect(REGION_BYTES);
    for (int i = 0; i < regions; i++) {
      RegisteredMemory registered = memory.register(DOMAIN, bytes, access);
      region = i == regions / 2 ? registered : region;
    }
    range = new MemoryRange(region.addr(), REGION_BYTES);
  }

  /** May a peer write here? */
  @Benchmark
  public MemoryFault checkRemoteKey() {
    return memory.faultOf(region.key(), peer, range, AccessFlag.REMOTE_WRITE);
  }

  /** The bytes behind a key and an address. */
  @Benchmark
  public Payload viewByKey() {
    return memory.view(region.key(), region.addr(), REGION_BYTES);
  }

  /** One work request into a queue and out of it. */
  @Benchmark
  public String pushAndPoll() {
    ring.push("request");
    return ring.poll();
  }

  /** The attributes that a transition requires. */
  @Benchmark
  public Optional<Transition> findTransition() {
    return transitions.find(QpType.RC, QpState.RTR, QpState.RTS);
  }
}

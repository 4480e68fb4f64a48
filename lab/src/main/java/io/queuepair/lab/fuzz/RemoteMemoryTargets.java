// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.fuzz;

import io.queuepair.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;

/** Chooses what requests say of remote memory: mostly what is allowed, sometimes not quite. */
final class RemoteMemoryTargets {
  private static final int WORD = 8;

  private final FuzzRandom random;
  private final List<TargetMemory> prizes = new ArrayList<>();

  /** Memory, and how it is named. */
  private record TargetMemory(long addr, int length, IntSupplier rkey, Set<AccessFlag> rights) {}

  RemoteMemoryTargets(FuzzRandom random, DeviceUnderTest target) {
    this.random = random;
    GuardedMemory guardedMemory = target.guardedMemory();
    for (MemoryArea area :
        List.of(
            guardedMemory.open(),
            guardedMemory.counters(),
            guardedMemory.readable(),
            guardedMemory.secret(),
            guardedMemory.foreign(),
            guardedMemory.windowed(),
            guardedMemory.inbox(),
            guardedMemory.outbox())) {
      boolean isForeign = area.equals(guardedMemory.foreign());
      prizes.add(
          new TargetMemory(
              area.region().addr(),
              area.length(),
              area.region()::rkey,
              isForeign ? Set.of() : area.access()));
    }
    Windows windows = target.windows();
    long addr = guardedMemory.windowed().region().addr();
    Set<AccessFlag> reading = EnumSet.of(AccessFlag.REMOTE_READ);
    prizes.add(new TargetMemory(addr, Windows.BYTES, windows::type1Rkey, reading));
    prizes.add(new TargetMemory(addr, Windows.BYTES, windows::type2Rkey, reading));
    prizes.add(new TargetMemory(addr, Windows.BYTES, windows::unboundRkey, Set.of()));
  }

  /** Memory for an operation that needs a right. */
  RemoteMemoryTarget at(AccessFlag right, int length) {
    int choice = random.below(100);
    if (choice == 0) {
      return new RemoteMemoryTarget(random.anyLong(), random.any(), length);
    }
    TargetMemory prize = choice < 6 ? random.one(prizes) : fitting(right);
    int room = Math.max(1, prize.length() - length + 1);
    int offset = random.below(room) & -WORD;
    if (choice > 92) {
      offset = outside(prize, length);
    }
    boolean isTilted = choice == 92;
    return new RemoteMemoryTarget(
        prize.addr() + offset + (isTilted ? 1 : 0), prize.rkey().getAsInt(), length);
  }

  private TargetMemory fitting(AccessFlag right) {
    TargetMemory prize = random.one(prizes);
    while (!prize.rights().contains(right)) {
      prize = random.one(prizes);
    }
    return prize;
  }

  /** Just over one of the edges, mostly by one. */
  private int outside(TargetMemory prize, int length) {
    int most = random.of(70) ? WORD : 300;
    int over = 1 + random.below(random.of(50) ? 1 : most);
    return random.of(50) ? -over : prize.length() - length + over;
  }

  /** A key to be invalidated. */
  int key() {
    return random.of(50) ? prizes.get(prizes.size() - 2).rkey().getAsInt() : random.any();
  }
}

package io.queuepair.tools.fuzz;

import io.queuepair.verbs.AccessFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;

/** Chooses what requests say of remote memory: mostly what is allowed, sometimes not quite. */
final class Aims {
  private static final int WORD = 8;

  private final Chance chance;
  private final List<Prize> prizes = new ArrayList<>();

  /** Memory, and how it is named. */
  private record Prize(long addr, int length, IntSupplier rkey, Set<AccessFlag> rights) {}

  Aims(Chance chance, Target target) {
    this.chance = chance;
    Estate estate = target.estate();
    for (Parcel parcel :
        List.of(
            estate.open(),
            estate.counters(),
            estate.readable(),
            estate.secret(),
            estate.foreign(),
            estate.windowed(),
            estate.inbox(),
            estate.outbox())) {
      boolean isForeign = parcel.equals(estate.foreign());
      prizes.add(
          new Prize(
              parcel.region().addr(),
              parcel.length(),
              parcel.region()::rkey,
              isForeign ? Set.of() : parcel.access()));
    }
    Windows windows = target.windows();
    long addr = estate.windowed().region().addr();
    Set<AccessFlag> reading = EnumSet.of(AccessFlag.REMOTE_READ);
    prizes.add(new Prize(addr, Windows.BYTES, windows::type1Rkey, reading));
    prizes.add(new Prize(addr, Windows.BYTES, windows::type2Rkey, reading));
    prizes.add(new Prize(addr, Windows.BYTES, windows::unboundRkey, Set.of()));
  }

  /** Memory for an operation that needs a right. */
  Aim at(AccessFlag right, int length) {
    int choice = chance.below(100);
    if (choice == 0) {
      return new Aim(chance.anyLong(), chance.any(), length);
    }
    Prize prize = choice < 6 ? chance.one(prizes) : fitting(right);
    int room = Math.max(1, prize.length() - length + 1);
    int offset = chance.below(room) & -WORD;
    if (choice > 92) {
      offset = outside(prize, length);
    }
    boolean isTilted = choice == 92;
    return new Aim(prize.addr() + offset + (isTilted ? 1 : 0), prize.rkey().getAsInt(), length);
  }

  private Prize fitting(AccessFlag right) {
    Prize prize = chance.one(prizes);
    while (!prize.rights().contains(right)) {
      prize = chance.one(prizes);
    }
    return prize;
  }

  /** Just over one of the edges, mostly by one. */
  private int outside(Prize prize, int length) {
    int most = chance.of(70) ? WORD : 300;
    int over = 1 + chance.below(chance.of(50) ? 1 : most);
    return chance.of(50) ? -over : prize.length() - length + over;
  }

  /** A key to be invalidated. */
  int key() {
    return chance.of(50) ? prizes.get(prizes.size() - 2).rkey().getAsInt() : chance.any();
  }
}

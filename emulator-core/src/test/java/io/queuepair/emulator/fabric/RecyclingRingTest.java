// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RecyclingRingTest {
  private static final int LIMIT = 16;

  private final RecyclingRing<Object> trips = new RecyclingRing<>(LIMIT);

  @Test
  void lendsAgainWhatIsBack() {
    Object first = new Object();
    trips.leave(first);
    trips.recycle(1);

    List<Object> lent = new ArrayList<>();
    for (int i = 0; i < LIMIT && !lent.contains(first); i++) {
      lent.add(depart(trips));
      trips.recycle(1);
    }

    assertThat(lent).contains(first);
  }

  @Property
  void neverLendsWhatIsUnderWay(@ForAll List<@IntRange(min = -3, max = 3) Integer> moves) {
    RecyclingRing<Object> fresh = new RecyclingRing<>(LIMIT);
    List<Object> underWay = new ArrayList<>();
    for (int move : moves) {
      for (int i = 0; i < move; i++) {
        Object departing = depart(fresh);
        assertThat(underWay).doesNotContain(departing);
        underWay.add(departing);
      }
      int back = Math.min(Math.max(0, -move), underWay.size());
      underWay.subList(0, back).clear();
      fresh.recycle(back);
      assertThat(fresh.underWay()).isEqualTo(underWay.size());
    }
  }

  @Test
  void keepsNoMoreThanItsLimit() {
    for (int i = 0; i < 2 * LIMIT; i++) {
      trips.leave(new Object());
    }

    assertThat(trips.next()).isNull();

    trips.recycle(2 * LIMIT);
    List<Object> kept = new ArrayList<>();
    for (int i = 0; i < 2 * LIMIT; i++) {
      kept.add(depart(trips));
      trips.recycle(1);
    }
    assertThat(kept.stream().distinct()).hasSizeLessThanOrEqualTo(LIMIT);
  }

  @Test
  void passesOverWhatIsNotToBeUsedAgain() {
    trips.leave(null);
    trips.recycle(1);

    assertThat(trips.next()).isNull();
  }

  /** A returned object, or a new one, leaves. */
  private static Object depart(RecyclingRing<Object> trips) {
    Object back = trips.next();
    Object departing = back == null ? new Object() : back;
    trips.leave(departing);
    return departing;
  }
}

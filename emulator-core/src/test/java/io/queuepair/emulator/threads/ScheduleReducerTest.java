// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reduction of the switches of a program whose one thread may hand on at each of 20 decisions. */
final class ScheduleReducerTest {
  private static final int DECISIONS = 20;
  private static final List<Switch> AT_NOTIFY = at(4, 8, 12, 16);

  private final Throwable failure = new IllegalStateException("it fails");
  private final List<List<Switch>> tried = new ArrayList<>();

  private static List<Switch> at(int... decisions) {
    return IntStream.of(decisions).mapToObj(decision -> new Switch(1, decision, 0)).toList();
  }

  /** The schedule of a run: it could have switched at each decision after the last switch. */
  private static Schedule runOf(List<Switch> switches) {
    int last = switches.isEmpty() ? 0 : switches.get(switches.size() - 1).decision();
    return Schedule.made(
        switches,
        at(IntStream.rangeClosed(last + 1, DECISIONS).toArray()),
        switches.stream().filter(AT_NOTIFY::contains).toList());
  }

  private List<Switch> reduce(List<Switch> failing, Predicate<List<Switch>> fails) {
    ScheduleReducer reducer = new ScheduleReducer(runOf(failing), failure);
    Optional<Schedule> next = reducer.next();
    while (next.isPresent()) {
      List<Switch> switches = next.get().switches();
      tried.add(switches);
      reducer.ran(runOf(switches), fails.test(switches) ? failure : null);
      next = reducer.next();
    }
    assertThat(tried).hasSizeLessThan(2_000);
    return reducer.shortest().orElseThrow().switches();
  }

  @Test
  void leavesOutWhatIsNotNeeded() {
    assertThat(reduce(at(1, 3, 4, 6, 8, 9), switches -> switches.containsAll(at(3, 8))))
        .isEqualTo(at(3, 8));
  }

  @Test
  void findsAnotherOneWithFewerSwitches() {
    Predicate<List<Switch>> fails =
        switches -> switches.containsAll(at(1, 3, 4, 6, 8)) || switches.containsAll(at(2, 7));

    assertThat(reduce(at(1, 3, 4, 6, 8), fails)).isEqualTo(at(2, 7));
  }

  @Test
  void keepsWhatHasTheFewest() {
    assertThat(reduce(at(2, 5, 6), switches -> switches.containsAll(at(2, 5, 6))))
        .isEqualTo(at(2, 5, 6));
  }

  @Test
  void endsAfterManyRuns() {
    ScheduleReducer reducer = new ScheduleReducer(runOf(at(1, 2, 3, 4, 5, 6)), failure);
    int runs = 0;
    Optional<Schedule> next = reducer.next();
    while (next.isPresent()) {
      List<Switch> switches = next.get().switches();
      boolean isFirst = runs == 0;
      runs++;
      reducer.ran(Schedule.made(switches, at(new int[1_000]), List.of()), isFirst ? failure : null);
      next = reducer.next();
    }
    assertThat(runs).isEqualTo(2_000);
  }

  private static List<Switch> atAll() {
    return at(IntStream.rangeClosed(1, DECISIONS).toArray());
  }

  /** A deadlock comes soon after the switch that makes it. */
  @Test
  void triesFirstToKeepTheLastSwitch() {
    assertThat(reduce(atAll(), switches -> switches.containsAll(at(DECISIONS))))
        .isEqualTo(at(DECISIONS));
    assertThat(tried).containsExactly(atAll(), at(DECISIONS), List.of(), List.of());
  }

  /** A wake-up that is only late shows later: others were made since. */
  @Test
  void thenThoseWhereAWakeUpMayBeLost() {
    assertThat(reduce(atAll(), switches -> switches.containsAll(at(8)))).isEqualTo(at(8));
    assertThat(tried)
        .startsWith(atAll(), at(DECISIONS), AT_NOTIFY, at(16), at(12), at(8))
        .hasSizeLessThan(10);
  }

  @Test
  void saysWhetherItIsComplete() {
    ScheduleReducer cut = new ScheduleReducer(runOf(atAll()), failure, 1);
    assertThat(cut.next()).isPresent();
    cut.ran(runOf(atAll()), failure);
    assertThat(cut.next()).isEmpty();
    assertThat(cut.isComplete()).isFalse();
    ScheduleReducer unreplayed = new ScheduleReducer(runOf(atAll()), failure);
    unreplayed.ran(runOf(atAll()), null);
    assertThat(unreplayed.next()).isEmpty();
    assertThat(unreplayed.isComplete()).isTrue();
    assertThatThrownBy(() -> new ScheduleReducer(runOf(atAll()), failure, -1))
        .hasMessage("-1 runs are less than 0");
  }

  private final List<List<Integer>> triedLists = new ArrayList<>();

  private static List<Integer> upTo(int last) {
    return IntStream.rangeClosed(1, last).boxed().toList();
  }

  private List<Integer> minimal(List<Integer> items, Predicate<List<Integer>> fails) {
    return DeltaDebugging.minimal(
        items,
        fewer -> {
          triedLists.add(fewer);
          return fails.test(fewer);
        });
  }

  @Test
  void leavesOutAllIfNothingIsNeeded() {
    assertThat(minimal(upTo(9), fewer -> true)).isEmpty();
    assertThat(triedLists).containsExactly(List.of());
  }

  @Test
  void leavesOutHalvesThenQuartersThenSingleItems() {
    assertThat(minimal(upTo(4), fewer -> fewer.containsAll(List.of(2, 3)))).containsExactly(2, 3);
    assertThat(triedLists)
        .containsExactly(
            List.of(),
            List.of(3, 4),
            List.of(1, 2),
            List.of(2, 3, 4),
            List.of(3, 4),
            List.of(2, 4),
            List.of(2, 3),
            List.of(3),
            List.of(2));
  }

  @Test
  void findsTheNeededOnesOfMany() {
    assertThat(minimal(upTo(1_000), fewer -> fewer.containsAll(List.of(17, 500, 1_000))))
        .containsExactly(17, 500, 1_000);
    assertThat(triedLists).hasSizeLessThan(100);
  }

  /** 2 is needed only as long as 3 is there. */
  @Test
  void triesAgainWhatWasNeededBefore() {
    Predicate<List<Integer>> needsTwoUnlessThree =
        fewer -> fewer.contains(4) && (fewer.contains(2) || !fewer.contains(3));

    assertThat(minimal(upTo(4), needsTwoUnlessThree)).containsExactly(4);
  }

  @Test
  void triesNothingOfNothing() {
    assertThat(minimal(List.of(), fewer -> true)).isEmpty();
    assertThat(triedLists).isEmpty();
  }
}

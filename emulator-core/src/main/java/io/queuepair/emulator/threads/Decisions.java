// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.threads;

import io.queuepair.emulator.threads.Schedule.Switch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Chooses the next thread at each decision of a run, and records unusual choices. */
final class Decisions {
  /** Number that stands for the network among the candidates. */
  static final int NETWORK = 0;

  private static final String NOTIFY = "ibv_req_notify_cq";

  /** Maximum number of recorded switches; beyond, only the seed repeats the run. */
  private static final int MAX_SWITCHES = 100_000;

  /** Maximum number of recorded switches that were possible after the last one of a run. */
  private static final int MAX_UNTAKEN = 2_000;

  /** Number of rates: one switch in 2, 4, 8 or 16 decisions. Few bugs need many switches. */
  private static final int RARITIES = 4;

  private final boolean decidesAtVerbs;
  private final @Nullable Random random;
  private final int rarity;

  /** Next thread by {@link #place}, if switches are replayed; otherwise null. */
  private final @Nullable Map<Long, Integer> replayed;

  private final List<TakenSwitch> taken = new ArrayList<>();

  /** Switches possible after the last one made; recorded only if switches are replayed. */
  private final List<Switch> untakenSwitches = new ArrayList<>();

  /**
   * A switch that was made.
   *
   * @param thread the thread that passed the turn on
   * @param verb the verb in which it did so
   * @param next text about the thread that ran next, for reports
   */
  record TakenSwitch(Switch change, ScheduledThread thread, String verb, String next) {
    @Override
    public String toString() {
      return change + ": at " + verb + " of " + thread + ", " + next;
    }
  }

  /**
   * Decisions of a run.
   *
   * @param switches the switches made, in order
   * @param schedule the schedule that repeats them
   */
  record Made(List<TakenSwitch> switches, Schedule schedule) {}

  private Decisions(
      boolean decidesAtVerbs,
      @Nullable Random random,
      int rarity,
      @Nullable Map<Long, Integer> replayed) {
    this.decidesAtVerbs = decidesAtVerbs;
    this.random = random;
    this.rarity = rarity;
    this.replayed = replayed;
  }

  static Decisions usual(boolean atVerbs) {
    return new Decisions(atVerbs, null, 0, null);
  }

  static Decisions random(long seed) {
    Random random = new Random(seed);
    random.nextInt(); // First numbers of neighbouring seeds are alike.
    return new Decisions(true, random, 2 << random.nextInt(RARITIES), null);
  }

  static Decisions replayed(List<Switch> switches) {
    Map<Long, Integer> byPlace = new TreeMap<>();
    switches.forEach(
        change -> byPlace.put(place(change.thread(), change.decision()), change.next()));
    return new Decisions(true, null, 0, byPlace);
  }

  private static long place(int thread, int decision) {
    return (long) thread << Integer.SIZE | decision;
  }

  /** Whether a thread may pass the turn on at every verb. */
  boolean areMadeAtVerbs() {
    return decidesAtVerbs;
  }

  /** Whether the network may move although a thread is ready. */
  boolean mayMoveEarly() {
    return random != null || replayed != null;
  }

  /**
   * Chooses the thread that runs next.
   *
   * @param thread the thread that passes the turn on
   * @param candidates numbers of threads, or {@link #NETWORK}; the usual one first, at least two
   * @param names names of threads by number
   * @return one of the candidates
   */
  int choose(ScheduledThread thread, List<Integer> candidates, IntFunction<String> names) {
    int decision = thread.nextDecision();
    int usual = candidates.get(0);
    int chosen = usual;
    if (random != null && random.nextInt(rarity) == 0) {
      chosen = candidates.get(1 + random.nextInt(candidates.size() - 1));
    }
    if (replayed != null) {
      Integer planned = replayed.get(place(thread.number(), decision));
      chosen = planned != null && candidates.contains(planned) ? planned : usual;
      remember(thread.number(), decision, chosen, candidates);
    }
    if (chosen != usual && taken.size() < MAX_SWITCHES) {
      Switch change = new Switch(thread.number(), decision, chosen);
      String next =
          chosen == NETWORK ? "the network moves" : "thread " + names.apply(chosen) + " continues";
      taken.add(new TakenSwitch(change, thread, thread.verb(), next));
    }
    return chosen;
  }

  private void remember(int thread, int decision, int chosen, List<Integer> candidates) {
    if (chosen != candidates.get(0)) {
      untakenSwitches.clear();
      return;
    }
    for (int other : candidates.subList(1, candidates.size())) {
      if (untakenSwitches.size() < MAX_UNTAKEN) {
        untakenSwitches.add(new Switch(thread, decision, other));
      }
    }
  }

  List<TakenSwitch> taken() {
    return List.copyOf(taken);
  }

  /** Decisions so far, with the schedule that repeats them. */
  Made made() {
    List<Switch> switches = taken.stream().map(TakenSwitch::change).toList();
    List<Switch> switchesAtNotify =
        taken.stream()
            .filter(takenSwitch -> takenSwitch.verb().equals(NOTIFY))
            .map(TakenSwitch::change)
            .toList();
    return new Made(
        taken(), Schedule.made(switches, List.copyOf(untakenSwitches), switchesAtNotify));
  }
}

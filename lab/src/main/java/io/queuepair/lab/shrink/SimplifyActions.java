// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.shrink;

import io.queuepair.lab.simulation.Action;
import io.queuepair.lab.simulation.InjectedError;
import io.queuepair.lab.simulation.WorkSpec;
import io.queuepair.lab.simulation.WorkTestCase;
import io.queuepair.verbs.SendFlag;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Simplifies single actions: fewer bytes and pieces, no flags, round times. */
final class SimplifyActions {
  /** Times to try, shortest first. */
  private static final long[] NANOS = {1_000, 2_000, 5_000, 10_000, 100_000, 1_000_000, 10_000_000};

  private static final int[] BYTES = {0, 1, 8, 64};

  private SimplifyActions() {}

  static WorkTestCase apply(WorkTestCase testCase, FailurePredicate<WorkTestCase> predicate) {
    WorkTestCase simplest = testCase;
    for (int i = 0; i < testCase.actions().size(); i++) {
      simplest = simplified(simplest, i, predicate);
    }
    return simplest;
  }

  /** Simplifies one action repeatedly, as long as a simpler form still fails. */
  private static WorkTestCase simplified(
      WorkTestCase testCase, int index, FailurePredicate<WorkTestCase> predicate) {
    for (Action simpler : simpler(testCase.actions().get(index))) {
      List<Action> actions = new ArrayList<>(testCase.actions());
      Action present = actions.set(index, simpler);
      WorkTestCase candidate = testCase.withActions(actions);
      if (!simpler.equals(present) && predicate.fails(candidate)) {
        return simplified(candidate, index, predicate);
      }
    }
    return testCase;
  }

  /** Simpler forms of an action; none leads back to it, so that simplifying ends. */
  private static List<Action> simpler(Action action) {
    List<Action> simpler = new ArrayList<>();
    if (action instanceof Action.Post post) {
      works(post.work()).forEach(work -> simpler.add(new Action.Post(post.qp(), work)));
    } else if (action instanceof Action.PostReceives post) {
      if (post.count() > 1) {
        simpler.add(new Action.PostReceives(post.qp(), 1, post.pieces()));
      }
      simpler.add(new Action.PostReceives(post.qp(), post.count(), 1));
    } else if (action instanceof Action.Run run) {
      times(run.nanos(), simpler);
    } else if (action instanceof Action.RunUnpolled run) {
      simpler.add(new Action.Run(run.nanos()));
      times(run.nanos(), simpler);
    } else if (action instanceof Action.Settle) {
      times(Long.MAX_VALUE, simpler);
    } else if (action instanceof Action.Reconnect reconnect) {
      simpler.add(
          new Action.Reconnect(
              reconnect.connection(), 0, reconnect.quietNanos(), reconnect.onlyIfBroken()));
    }
    return simpler;
  }

  private static void times(long present, List<Action> simpler) {
    for (long nanos : NANOS) {
      if (nanos < present) {
        simpler.add(new Action.Run(nanos));
      }
    }
  }

  /** Makes a send signaled, so that no later send is needed to complete it. */
  private static WorkSpec signaled(WorkSpec work) {
    Set<SendFlag> flags = EnumSet.of(SendFlag.SIGNALED);
    flags.addAll(work.flags());
    return work.with(flags, work.pieces(), work.operand());
  }

  private static List<WorkSpec> works(WorkSpec work) {
    List<WorkSpec> works = new ArrayList<>();
    if (work.error() != InjectedError.NONE) {
      works.add(work.with(work.bytes(), InjectedError.NONE));
    }
    if (!work.flags().contains(SendFlag.SIGNALED)) {
      works.add(signaled(work));
    }
    if (work.usesWindow()) {
      works.add(work.withWindow(false));
    }
    if (work.bytesMayChange()) {
      for (int bytes : BYTES) {
        if (bytes < work.bytes()) {
          works.add(work.with(bytes, work.error()));
        }
      }
      works.add(work.with(work.bytes() / 2, work.error()));
    }
    works.add(work.with(work.flags(), 1, work.operand()));
    for (SendFlag flag : SendFlag.values()) {
      if (flag != SendFlag.SIGNALED && work.flags().contains(flag)) {
        Set<SendFlag> fewer = EnumSet.copyOf(work.flags());
        fewer.remove(flag);
        works.add(work.with(fewer, work.pieces(), work.operand()));
      }
    }
    if (work.operand() != 0) {
      works.add(work.with(work.flags(), work.pieces(), 0));
      works.add(work.with(work.flags(), work.pieces(), 1));
    }
    return works;
  }
}

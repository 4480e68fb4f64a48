// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.states.PictureView;
import io.queuepair.tools.states.StatePicture;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.List;
import java.util.Optional;

/** A picture of the states of each type of queue pair that a run has. */
final class StateMachines {
  private static final TransitionTable TABLE = TransitionTable.documented();

  private StateMachines() {}

  static String of(List<TimelineStep> steps) {
    XmlWriter all = new XmlWriter();
    for (QpType type : TransitionTable.types()) {
      String kind = ObjectView.kindOf(type);
      boolean isUsed =
          steps.stream()
              .flatMap(step -> step.objects().stream())
              .anyMatch(object -> object.kind().equals(kind));
      if (isUsed) {
        all.open("div", "class", "picture", "data-kind", kind);
        all.markup(StatePicture.inPage(TABLE, type, new Names())).close("div").newLine();
      }
    }
    return all.toString();
  }

  /** Gives states and arrows names, by which a script finds them. */
  private static final class Names implements PictureView {
    @Override
    public Optional<String> look(QpState state) {
      return Optional.of("at-" + state);
    }

    @Override
    public Optional<String> look(QpState from, QpState to) {
      return Optional.of("go-" + from + "-" + to);
    }
  }
}

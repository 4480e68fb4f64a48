package io.queuepair.tools.shrink;

import io.queuepair.emulator.faults.FaultPlan;
import io.queuepair.tools.workload.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lets the faults be about more packets than one and looks whether less work fails then: a rule
 * about one packet holds on to everything that is sent before it, and to the length of its message.
 * In the end each is about one packet again.
 */
final class LooserFaults implements Reduction {
  private static final Pattern ONE_PACKET =
      Pattern.compile(
          "(.*) \\d+(?:st|nd|rd|th) (?:RC|UC|UD)_(\\w+?)"
              + "(?:_(?:FIRST|MIDDLE|LAST|ONLY))?(?:_WITH_\\w+)?( .*)?");

  private static final List<Reduction> REDUCTIONS =
      List.of(new FewerActions(), new SimplerActions(), new FewerFaults(), new SimplerFaults());

  @Override
  public Specimen apply(Specimen specimen, Trial trial) {
    Specimen loosened = loosened(specimen);
    Specimen reduced = loosened.equals(specimen) ? null : failing(loosened, trial);
    if (reduced == null) {
      return specimen;
    }
    for (Reduction reduction : REDUCTIONS) {
      reduced = reduction.apply(reduced, trial);
    }
    return weight(reduced) < weight(specimen) ? reduced : specimen;
  }

  /** It, or it without one action, to which the looser faults do something else; or null. */
  private static Specimen failing(Specimen loosened, Trial trial) {
    if (trial.fails(loosened)) {
      return loosened;
    }
    for (int i = 0; i < loosened.workload().actions().size(); i++) {
      List<Action> actions = new ArrayList<>(loosened.workload().actions());
      actions.remove(i);
      Specimen candidate = loosened.withActions(actions);
      if (trial.fails(candidate)) {
        return candidate;
      }
    }
    return null;
  }

  private static Specimen loosened(Specimen specimen) {
    List<FaultPlan> loose = new ArrayList<>();
    for (FaultPlan one : specimen.faults().each()) {
      Matcher rule = ONE_PACKET.matcher(one.withSeed(0).toString());
      loose.add(rule.matches() ? FaultPlan.parse(rule.group(1) + " " + rule.group(2)) : one);
    }
    return specimen.withFaults(FewerFaults.joined(loose));
  }

  /** One action or fault more outweighs all bytes, so that this never goes on for ever. */
  private static long weight(Specimen specimen) {
    long bytes = 0;
    for (Action action : specimen.workload().actions()) {
      bytes += action instanceof Action.Post post ? post.work().bytes() : 0;
    }
    long items = specimen.workload().actions().size();
    items += specimen.faults().each().size();
    return items * Integer.MAX_VALUE + bytes;
  }
}

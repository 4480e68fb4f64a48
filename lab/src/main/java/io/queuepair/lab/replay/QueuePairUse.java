// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the queue pairs that calls of a scenario use, by names such as {@code A.qp}. */
final class QueuePairUse {
  /** Symbol of a queue pair number, as recordings write it. */
  private static final Pattern NUMBER = Pattern.compile("\\$(\\w+\\.\\w+)\\.num");

  private static final Pattern OF_COMPLETION = Pattern.compile("qp_num=" + NUMBER.pattern());

  private static final Pattern COMPLETION_FIELD = Pattern.compile("wcs\\[(\\d+)].*");

  /** Statuses of a completion with which its queue pair leaves RTS. */
  private static final Pattern LEAVES_RTS = Pattern.compile("(?!SUCCESS|WR_FLUSH_ERR)\\w+");

  /** Statuses of a completion with which the peer leaves RTS. */
  private static final Pattern REFUSED = Pattern.compile("REM_\\w+");

  /** Events of queue pairs and completion queues that Linux reports; {@code null} for no event. */
  private static final Set<String> EVENTS = Set.of("null", "SQ_DRAINED", "CQ_ERR");

  private static final Set<String> POSTS = Set.of("post_send", "post_recv", "bind_mw");

  private static final String CREATION = "create_qp";

  private final Scenario scenario;

  QueuePairUse(Scenario scenario) {
    this.scenario = scenario;
  }

  /** Queue pairs that a difference is about; possibly none. */
  Set<String> of(Difference difference) {
    Step step = scenario.steps().get(difference.step());
    if (step.args().has("qp")) {
      return Set.of(queuePairOf(step));
    }
    return switch (step.op()) {
      case "poll_cq" -> ofCompletion(difference, step);
      case CREATION, "destroy_qp" -> Set.of(step.side() + "." + name(step));
      case "async_event" -> isOther(difference) ? Set.of() : created(step.side(), ".*");
      case "mem" -> usersOf(step.side(), step.args().path("mr").asText());
      default -> Set.of();
    };
  }

  /** Whether Linux reported an event that is not about queue pairs. */
  private static boolean isOther(Difference event) {
    return event.field().equals("event") && !EVENTS.contains(event.recorded());
  }

  private static String queuePairOf(Step step) {
    return step.side() + "." + step.args().path("qp").asText();
  }

  private Set<String> ofCompletion(Difference difference, Step step) {
    Matcher named = OF_COMPLETION.matcher(difference.recorded() + " " + difference.ours());
    if (named.find()) {
      return Set.of(named.group(1));
    }
    Matcher field = COMPLETION_FIELD.matcher(difference.field());
    if (field.matches()) {
      JsonNode number = step.result().at("/wcs/" + field.group(1) + "/qp_num");
      Matcher recorded = NUMBER.matcher(number.asText());
      if (recorded.matches()) {
        return Set.of(recorded.group(1));
      }
    }
    String cq = Pattern.quote(step.args().path("cq").asText());
    return created(step.side(), ".*\"[sr]cq\":\"" + cq + "\".*");
  }

  /** Queue pairs that a side created with matching arguments. */
  private Set<String> created(String side, String arguments) {
    return scenario.steps().stream()
        .filter(step -> step.op().equals(CREATION) && step.side().equals(side))
        .filter(step -> step.args().toString().matches(arguments))
        .map(step -> side + "." + name(step))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Queue pairs that used a region of their side, or the rkey of one of the peer. */
  private Set<String> usersOf(String side, String region) {
    String remote = "$" + side + "." + region + ".";
    return scenario.steps().stream()
        .filter(QueuePairUse::isPost)
        .filter(
            step ->
                (step.side().equals(side) && names(step.args(), region))
                    || step.args().toString().contains(remote))
        .map(QueuePairUse::queuePairOf)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean names(JsonNode work, String region) {
    return work.findValuesAsText("mr").contains(region);
  }

  private static boolean isPost(Step step) {
    return POSTS.contains(step.op()) && step.args().has("qp");
  }

  /** Queue pairs that are connected to the given one, or exchange datagrams with it. */
  Set<String> peersOf(String queuePair) {
    Set<String> peers = new TreeSet<>();
    for (Step step : scenario.steps()) {
      if (!step.args().has("qp")) {
        continue;
      }
      String own = queuePairOf(step);
      Matcher named = NUMBER.matcher(step.args().toString());
      while (named.find()) {
        if (own.equals(queuePair)) {
          peers.add(named.group(1));
        } else if (named.group(1).equals(queuePair)) {
          peers.add(own);
        }
      }
    }
    return peers;
  }

  /** Earliest step after the latest RESET with a failed completion; {@code last} if none. */
  int firstFailure(Set<String> queuePairs, int last) {
    int first = last;
    for (int i = last; i >= 0 && !isReset(scenario.steps().get(i), queuePairs); i--) {
      if (completions(i).stream().anyMatch(wc -> isFailed(wc) && isOf(wc, queuePairs))) {
        first = i;
      }
    }
    return first;
  }

  private static boolean isReset(Step step, Set<String> queuePairs) {
    return step.op().equals("modify_qp")
        && queuePairs.contains(queuePairOf(step))
        && step.args().at("/attrs/state").asText().equals("RESET");
  }

  /** Latest step, up to {@code last}, that posted to queue pairs or changed their state. */
  int lastWork(Set<String> queuePairs, int last) {
    int step = last;
    while (step > 0 && !isWork(scenario.steps().get(step), queuePairs)) {
      step--;
    }
    return step;
  }

  private static boolean isWork(Step step, Set<String> queuePairs) {
    boolean isMove = step.op().equals("modify_qp") && succeeded(step);
    return (isPost(step) || isMove) && queuePairs.contains(queuePairOf(step));
  }

  private static boolean succeeded(Step step) {
    return step.result() != null && step.result().path("ret").asText().equals("0");
  }

  /** Whether a difference is in a completion of work that a call posted, on some types. */
  boolean isCompletionOf(Difference difference, Pattern op, Pattern types) {
    Set<String> queuePairs = of(difference);
    return workOf(difference, op) >= 0
        && scenario.steps().stream()
            .filter(step -> step.op().equals(CREATION))
            .filter(step -> queuePairs.contains(step.side() + "." + name(step)))
            .anyMatch(step -> types.matcher(step.args().path("type").asText()).find());
  }

  private static String name(Step creation) {
    return creation.args().path("name").asText();
  }

  /**
   * Whether a difference is in a completion of work that was posted when the recorded queue pair
   * was in ERR: because of a call, or because earlier work of the queue pair or its peer had
   * failed.
   */
  boolean isOfWorkPostedInErr(Difference difference, Pattern op) {
    int work = workOf(difference, op);
    if (work < 0) {
      return false;
    }
    Set<String> own = of(difference);
    Set<String> peers = new TreeSet<>();
    own.forEach(queuePair -> peers.addAll(peersOf(queuePair)));
    for (int i = work; i >= 0 && !isReset(scenario.steps().get(i), own); i--) {
      if (showsErr(scenario.steps().get(i), own)
          || hasFailed(i, difference.step(), own, LEAVES_RTS)
          || hasFailed(i, difference.step(), peers, REFUSED)) {
        return true;
      }
    }
    return false;
  }

  /** Whether work of a step has a completion with a status up to the step {@code last}. */
  private boolean hasFailed(int post, int last, Set<String> queuePairs, Pattern status) {
    Step step = scenario.steps().get(post);
    if (!isPost(step) || !queuePairs.contains(queuePairOf(step))) {
      return false;
    }
    List<String> ids = step.args().findValuesAsText("wr_id");
    for (int i = post; i <= last; i++) {
      for (JsonNode wc : completions(i)) {
        if (status.matcher(wc.path("status").asText()).matches()
            && isOf(wc, queuePairs)
            && ids.contains(wc.path("wr_id").asText())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean showsErr(Step step, Set<String> queuePair) {
    if (!step.args().has("qp") || !queuePair.contains(queuePairOf(step)) || !succeeded(step)) {
      return false;
    }
    return step.args().at("/attrs/state").asText().equals("ERR")
        || step.result().path("state").asText().equals("ERR");
  }

  /** Index of the step that posted the work of a completion; -1 if there is none. */
  private int workOf(Difference difference, Pattern op) {
    Set<String> queuePairs = of(difference);
    String id = idOf(difference);
    for (int i = difference.step(); i >= 0; i--) {
      Step step = scenario.steps().get(i);
      if (op.matcher(step.op()).matches()
          && isWorkOf(step, queuePairs)
          && step.args().findValuesAsText("wr_id").contains(id)) {
        return i;
      }
    }
    return -1;
  }

  private String idOf(Difference difference) {
    Matcher field = COMPLETION_FIELD.matcher(difference.field());
    if (!field.matches() || difference.field().endsWith(".wr_id")) {
      return difference.ours();
    }
    if (difference.field().endsWith("]")) {
      boolean isMissing = difference.recorded().equals(ResultComparison.ABSENT);
      return (isMissing ? difference.ours() : difference.recorded()).split(" ", 2)[0];
    }
    Step poll = scenario.steps().get(difference.step());
    return poll.result().at("/wcs/" + field.group(1) + "/wr_id").asText();
  }

  /** Whether a step posts to one of the queue pairs, or to a shared receive queue of one. */
  private boolean isWorkOf(Step step, Set<String> queuePairs) {
    if (isPost(step)) {
      return queuePairs.contains(queuePairOf(step));
    }
    return step.op().equals("post_srq_recv")
        && scenario.steps().stream()
            .filter(creation -> creation.op().equals(CREATION))
            .filter(creation -> creation.side().equals(step.side()))
            .filter(creation -> creation.args().path("srq").equals(step.args().path("srq")))
            .anyMatch(creation -> queuePairs.contains(step.side() + "." + name(creation)));
  }

  /**
   * Whether earlier work of the queue pair of a difference has a completion with a matching status;
   * for a difference in memory, work that uses that memory.
   */
  boolean isBehindCompletion(Difference difference, Pattern op, Pattern status) {
    Step place = scenario.steps().get(difference.step());
    Set<String> queuePairs = of(difference);
    for (int i = 0; i <= difference.step(); i++) {
      boolean isSameSide = scenario.steps().get(i).side().equals(place.side());
      for (JsonNode wc : isSameSide ? completions(i) : List.<JsonNode>of()) {
        if (status.matcher(wc.path("status").asText()).find()
            && isOf(wc, queuePairs)
            && wasPosted(wc, op, place)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean wasPosted(JsonNode wc, Pattern op, Step place) {
    boolean isMemory = place.op().equals("mem");
    String region = place.args().path("mr").asText();
    for (Step step : scenario.steps()) {
      boolean isPostOfIt =
          op.matcher(step.op()).matches()
              && step.args().has("qp")
              && isOf(wc, Set.of(queuePairOf(step)));
      for (JsonNode wr : isPostOfIt ? step.args().path("wrs") : MissingNode.getInstance()) {
        if (wr.path("wr_id").equals(wc.path("wr_id")) && (!isMemory || names(wr, region))) {
          return true;
        }
      }
    }
    return false;
  }

  private List<JsonNode> completions(int step) {
    JsonNode result = scenario.steps().get(step).result();
    return result == null ? List.of() : List.copyOf(result.path("wcs").findParents("wr_id"));
  }

  private static boolean isFailed(JsonNode completion) {
    return !completion.path("status").asText().equals("SUCCESS");
  }

  private static boolean isOf(JsonNode completion, Set<String> queuePairs) {
    Matcher number = NUMBER.matcher(completion.path("qp_num").asText());
    return number.matches() && queuePairs.contains(number.group(1));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Moves queue pairs from RESET to RTS in one statement: makes the calls of {@code ibv_modify_qp}
 * that a program makes, with attributes that may be given.
 */
final class ConnectStatement {
  /** States on the way to RTS, each with the attributes that may be given for its call. */
  private static final Map<QpState, List<String>> ATTRIBUTES =
      new EnumMap<>(
          Map.of(
              QpState.INIT,
              List.of("pkey_index", "port", "access", "qkey"),
              QpState.RTR,
              List.of(
                  "av", "path_mtu", "dest_qp_num", "rq_psn", "min_rnr_timer", "max_dest_rd_atomic"),
              QpState.RTS,
              List.of("sq_psn", "timeout", "retry_cnt", "rnr_retry", "max_rd_atomic")));

  private final ScenarioEnvironment environment;
  private final String qp;
  private final Map<String, String> attributes = new LinkedHashMap<>();

  private ConnectStatement(ScenarioEnvironment environment, String qp) {
    this.environment = environment;
    this.qp = qp;
    attributes.put("pkey_index", "0");
    attributes.put("port", "1");
    attributes.put("sq_psn", "0");
  }

  /** Connects two queue pairs; an argument {@code a.NAME=} is for the one of device a. */
  static void connect(ScenarioEnvironment environment, List<String> words) {
    if (words.size() < 2) {
      throw new StatementException(
          "it is written: connect A.QP B.QP [ATTRIBUTE=VALUE] [A.ATTRIBUTE=VALUE]");
    }
    ConnectStatement first = connected(environment, words.get(0), words.get(1));
    ConnectStatement second = connected(environment, words.get(1), words.get(0));
    Arguments.requireOnce(words);
    for (String word : words.subList(2, words.size())) {
      first.take(word);
      second.take(word);
    }
    first.attributes.putIfAbsent("rq_psn", second.attributes.get("sq_psn"));
    second.attributes.putIfAbsent("rq_psn", first.attributes.get("sq_psn"));
    bringUp(List.of(first, second));
  }

  private static ConnectStatement connected(
      ScenarioEnvironment environment, String qp, String peer) {
    QpType type = environment.object(QueuePair.class, qp).initAttr().qpType();
    environment.object(QueuePair.class, peer);
    if (type == QpType.UD || type == QpType.RAW_PACKET) {
      throw new StatementException(qp + " is of type " + type + ", which has no peer: ready");
    }
    ConnectStatement made = new ConnectStatement(environment, qp);
    made.attributes.put("access", "REMOTE_WRITE|REMOTE_READ|REMOTE_ATOMIC");
    made.attributes.put("av", Statements.device(peer) + ".gid0");
    made.attributes.put("path_mtu", "1024");
    made.attributes.put("dest_qp_num", peer + ".num");
    if (type == QpType.UC) {
      made.attributes.put("access", "REMOTE_WRITE");
      return made;
    }
    made.attributes.put("min_rnr_timer", "12");
    made.attributes.put("max_dest_rd_atomic", "4");
    made.attributes.put("timeout", "14");
    made.attributes.put("retry_cnt", "7");
    made.attributes.put("rnr_retry", "7");
    made.attributes.put("max_rd_atomic", "4");
    return made;
  }

  /** Moves a queue pair of type UD or RAW_PACKET to RTS. */
  static void ready(ScenarioEnvironment environment, List<String> words) {
    if (words.isEmpty()) {
      throw new StatementException("it is written: ready A.QP [ATTRIBUTE=VALUE]");
    }
    ConnectStatement made = new ConnectStatement(environment, words.get(0));
    QpType type = environment.object(QueuePair.class, words.get(0)).initAttr().qpType();
    switch (type) {
      case UD -> made.attributes.put("qkey", "0x11111111");
      case RAW_PACKET -> made.attributes.keySet().retainAll(Set.of("port"));
      case RC, UC, DRIVER, XRC_SEND, XRC_RECV ->
          throw new StatementException("a queue pair of type " + type + " needs a peer: connect");
    }
    Arguments.requireOnce(words);
    words.subList(1, words.size()).forEach(made::take);
    bringUp(List.of(made));
  }

  private void take(String word) {
    int equals = word.indexOf('=');
    if (equals < 0) {
      throw new StatementException("'" + word + "' is not ATTRIBUTE=VALUE");
    }
    String name = word.substring(0, equals);
    String device = Statements.device(qp) + ".";
    boolean isForOne = environment.hasDevice(Statements.device(name)) && name.contains(".");
    if (isForOne && !name.startsWith(device)) {
      return;
    }
    attributes.put(isForOne ? name.substring(device.length()) : name, word.substring(equals + 1));
  }

  /** Moves all queue pairs to each state in turn, so that none sends to a peer in RESET. */
  private static void bringUp(List<ConnectStatement> queuePairs) {
    queuePairs.forEach(ConnectStatement::check);
    for (QpState state : ATTRIBUTES.keySet()) {
      queuePairs.forEach(each -> each.modify(state));
    }
  }

  private void check() {
    for (String name : attributes.keySet()) {
      String root = Statements.device(name);
      if (ATTRIBUTES.values().stream().noneMatch(names -> names.contains(root))) {
        throw new StatementException(
            "'" + name + "' is none of " + ATTRIBUTES.values() + "; modify_qp takes all");
      }
    }
  }

  private void modify(QpState state) {
    List<String> names = ATTRIBUTES.get(state);
    List<String> words = new ArrayList<>(List.of(qp, "state=" + state));
    attributes.forEach(
        (name, value) -> {
          if (names.contains(Statements.device(name))) {
            words.add(name + "=" + value);
          }
        });
    String verb = "modify_qp";
    environment.call(
        verb, environment.device(qp), VerbSyntax.of(verb).read(verb, Statements.device(qp), words));
    environment.reportState(qp);
  }
}

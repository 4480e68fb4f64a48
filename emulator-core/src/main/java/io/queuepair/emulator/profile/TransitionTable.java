// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.profile;

import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The transitions that {@code ibv_modify_qp} can ask for: which attributes each requires and which
 * it allows besides. What is not in the table is refused. Immutable.
 */
public final class TransitionTable {
  private static final Set<QpType> TYPES =
      Collections.unmodifiableSet(
          EnumSet.of(
              QpType.RC,
              QpType.UC,
              QpType.UD,
              QpType.RAW_PACKET,
              QpType.XRC_SEND,
              QpType.XRC_RECV));

  /** States in which queues can be resized. */
  private static final Set<QpState> RESIZABLE =
      EnumSet.of(QpState.INIT, QpState.RTR, QpState.RTS, QpState.SQD);

  /**
   * {@code qp_state_table} of Linux. Below each transition the types that have it, with what is
   * required and, in brackets, what is optional.
   */
  private static final String LINUX =
      """
      RESET INIT RTR RTS SQD SQE ERR -> RESET
        RC UC UD RAW_PACKET XRC_SEND XRC_RECV:

      INIT RTR RTS SQD SQE ERR -> ERR
        RC UC UD RAW_PACKET XRC_SEND XRC_RECV:

      RESET -> INIT
        RC UC XRC_SEND XRC_RECV: PORT PKEY_INDEX ACCESS_FLAGS
        UD:                      PORT PKEY_INDEX QKEY
        RAW_PACKET:              PORT

      INIT -> INIT
        RC UC XRC_SEND XRC_RECV: [PORT PKEY_INDEX ACCESS_FLAGS]
        UD:                      [PORT PKEY_INDEX QKEY]
        RAW_PACKET:

      INIT -> RTR
        RC XRC_RECV: AV PATH_MTU DEST_QPN RQ_PSN MIN_RNR_TIMER MAX_DEST_RD_ATOMIC
                     [ACCESS_FLAGS PKEY_INDEX ALT_PATH]
        UC XRC_SEND: AV PATH_MTU DEST_QPN RQ_PSN
                     [ACCESS_FLAGS PKEY_INDEX ALT_PATH]
        UD:          [PKEY_INDEX QKEY]
        RAW_PACKET:

      RTR -> RTS
        RC:          SQ_PSN TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC
                     [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER]
        UC:          SQ_PSN
                     [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE]
        UD:          SQ_PSN [CUR_STATE QKEY]
        RAW_PACKET:  [RATE_LIMIT]
        XRC_SEND:    SQ_PSN TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC
                     [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE]
        XRC_RECV:    SQ_PSN TIMEOUT
                     [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER]

      RTS -> RTS
        RC XRC_RECV: [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER]
        UC XRC_SEND: [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE]
        UD:          [CUR_STATE QKEY]
        RAW_PACKET:  [RATE_LIMIT]

      RTS -> SQD
        RC UC UD XRC_SEND XRC_RECV: [EN_SQD_ASYNC_NOTIFY]
        RAW_PACKET:

      SQD -> RTS
        RC XRC_RECV: [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER]
        UC XRC_SEND: [CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE]
        UD:          [CUR_STATE QKEY]
        RAW_PACKET:

      SQD -> SQD
        RC:          [PORT PKEY_INDEX AV ACCESS_FLAGS ALT_PATH PATH_MIG_STATE TIMEOUT RETRY_CNT
                      RNR_RETRY MIN_RNR_TIMER MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC]
        UC:          [PKEY_INDEX AV ACCESS_FLAGS ALT_PATH PATH_MIG_STATE]
        UD:          [PKEY_INDEX QKEY]
        RAW_PACKET:
        XRC_SEND:    [PORT PKEY_INDEX AV ACCESS_FLAGS ALT_PATH PATH_MIG_STATE TIMEOUT RETRY_CNT
                      RNR_RETRY MAX_QP_RD_ATOMIC]
        XRC_RECV:    [PORT PKEY_INDEX AV ACCESS_FLAGS ALT_PATH PATH_MIG_STATE TIMEOUT
                      MIN_RNR_TIMER MAX_DEST_RD_ATOMIC]

      SQE -> RTS
        UC:          [CUR_STATE ACCESS_FLAGS]
        UD:          [CUR_STATE QKEY]
        RC RAW_PACKET XRC_SEND XRC_RECV:
      """;

  private static final TransitionTable OF_LINUX = new TransitionTable(parse(LINUX));
  private static final TransitionTable OF_DOCUMENTS = OF_LINUX.extended();

  private final List<Transition> transitions;
  private final Map<Change, Transition> byChange = new HashMap<>();

  private TransitionTable(List<Transition> transitions) {
    this.transitions = List.copyOf(transitions);
    transitions.forEach(
        transition ->
            byChange.put(
                new Change(transition.type(), transition.from(), transition.to()), transition));
  }

  private record Change(QpType type, QpState from, QpState to) {}

  /**
   * The table of Linux.
   *
   * @return the same as {@code qp_state_table} of {@code drivers/infiniband/core/verbs.c}
   */
  public static TransitionTable linux() {
    return OF_LINUX;
  }

  /**
   * The table of the documents: that of Linux; besides, ERR can be entered from RESET too ("any
   * state"), and queues can be resized in INIT, RTR, RTS and SQD.
   *
   * @return the table
   */
  public static TransitionTable documented() {
    return OF_DOCUMENTS;
  }

  /**
   * The types that have transitions.
   *
   * @return in the order of their C values
   */
  public static Set<QpType> types() {
    return TYPES;
  }

  /**
   * Every transition.
   *
   * @return by state before, state after and type, in the order of their C values
   */
  public List<Transition> rows() {
    return transitions;
  }

  /**
   * One transition.
   *
   * @param type transport service
   * @param from the state before
   * @param to the state after
   * @return the transition; empty if it is not in the table
   */
  public Optional<Transition> find(QpType type, QpState from, QpState to) {
    return Optional.ofNullable(byChange.get(new Change(type, from, to)));
  }

  /**
   * Whether a type has the state SQE: a send that fails takes such a queue pair from RTS to SQE,
   * any other to ERR. (InfiniBand specification, 10.3.1.)
   *
   * @param type transport service
   * @return true for UC, UD and RAW_PACKET
   */
  public static boolean hasSendQueueError(QpType type) {
    return switch (type) {
      case UC, UD, RAW_PACKET -> true;
      case RC, XRC_SEND, XRC_RECV, DRIVER -> false;
    };
  }

  private TransitionTable extended() {
    List<Transition> extendedTransitions = new ArrayList<>();
    for (Transition transition : transitions) {
      boolean resizes =
          RESIZABLE.contains(transition.from()) && RESIZABLE.contains(transition.to());
      extendedTransitions.add(resizes ? withCapacities(transition) : transition);
    }
    for (QpType type : TYPES) {
      extendedTransitions.add(new Transition(type, QpState.RESET, QpState.ERR, Set.of(), Set.of()));
    }
    return new TransitionTable(sorted(extendedTransitions));
  }

  private static Transition withCapacities(Transition transition) {
    Set<QpAttrMask> optionalMask = EnumSet.of(QpAttrMask.CAP);
    optionalMask.addAll(transition.optional());
    return new Transition(
        transition.type(),
        transition.from(),
        transition.to(),
        transition.required(),
        Collections.unmodifiableSet(optionalMask));
  }

  private static List<Transition> parse(String text) {
    List<Transition> transitions = new ArrayList<>();
    for (String paragraph : text.split("\n\n", -1)) {
      String[] parts = paragraph.split("\n", 2);
      String[] states = parts[0].split(" -> ", -1);
      QpState to = QpState.valueOf(states[1]);
      // A line without a colon continues the one before.
      for (String entry : parts[1].split("\n(?=.*:)", -1)) {
        for (String type : entry.substring(0, entry.indexOf(':')).strip().split(" ", -1)) {
          for (String from : states[0].split(" ", -1)) {
            transitions.add(row(QpType.valueOf(type), QpState.valueOf(from), to, entry));
          }
        }
      }
    }
    return sorted(transitions);
  }

  private static Transition row(QpType type, QpState from, QpState to, String entry) {
    String attributes = entry.substring(entry.indexOf(':') + 1);
    int bracket = attributes.indexOf('[');
    String required = bracket < 0 ? attributes : attributes.substring(0, bracket);
    String optional = bracket < 0 ? "" : attributes.substring(bracket + 1, attributes.indexOf(']'));
    return new Transition(type, from, to, attributes(required), attributes(optional));
  }

  private static Set<QpAttrMask> attributes(String names) {
    Set<QpAttrMask> mask = EnumSet.noneOf(QpAttrMask.class);
    Arrays.stream(names.strip().split("\\s+", -1))
        .filter(name -> !name.isEmpty())
        .map(QpAttrMask::valueOf)
        .forEach(mask::add);
    return Collections.unmodifiableSet(mask);
  }

  private static List<Transition> sorted(List<Transition> transitions) {
    List<Transition> sortedTransitions = new ArrayList<>(transitions);
    sortedTransitions.sort(
        (a, b) -> {
          int byFrom = a.from().compareTo(b.from());
          int byTo = a.to().compareTo(b.to());
          return byFrom != 0 ? byFrom : byTo != 0 ? byTo : a.type().compareTo(b.type());
        });
    return sortedTransitions;
  }
}

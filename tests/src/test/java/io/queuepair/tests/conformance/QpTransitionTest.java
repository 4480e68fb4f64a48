// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.emulator.profile.DeviceProfile;
import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every transition of a queue pair, pair of states by pair of states and attribute by attribute,
 * asked for by {@code modify}. Only UC, UD and RAW_PACKET get to SQE.
 */
final class QpTransitionTest {
  private static final Set<QpType> TYPES = EnumSet.complementOf(EnumSet.of(QpType.DRIVER));

  @AutoClose private final QpFixture bench = QpFixture.standard();

  private static boolean isReachable(QpType type, QpState state) {
    return switch (state) {
      case RESET, INIT, RTR, RTS, SQD, ERR -> true;
      case SQE -> type == QpType.UC || type == QpType.UD || type == QpType.RAW_PACKET;
      case UNKNOWN -> false;
    };
  }

  static Stream<TransitionRule> transitions() {
    return TransitionRule.OF_DOCUMENTS.stream()
        .filter(rule -> TYPES.contains(rule.type()) && isReachable(rule.type(), rule.from()));
  }

  static Stream<TransitionRule> impossibleTransitions() {
    List<TransitionRule> impossible = new ArrayList<>();
    for (QpType type : TYPES) {
      for (QpState from : QpState.values()) {
        for (QpState to : QpState.values()) {
          if (isReachable(type, from) && TransitionRule.of(type, from, to) == null) {
            impossible.add(new TransitionRule(type, from, to, Set.of(), Set.of()));
          }
        }
      }
    }
    return impossible.stream();
  }

  private void assertTaken(TransitionRule rule, Set<QpAttrMask> mask) {
    try (QueuePair qp = bench.queuePairIn(rule.type(), rule.from())) {
      qp.modify(bench.valid(rule.from(), rule.to()), mask);

      assertThat(qp.query().qpState()).as(rule + " with " + mask).isEqualTo(rule.to());
    }
  }

  private void assertRefused(TransitionRule rule, Set<QpAttrMask> mask, String mentioned) {
    try (QueuePair qp = bench.queuePairIn(rule.type(), rule.from())) {
      String before = qp.query().toString();
      QpAttr attr = bench.valid(rule.from(), rule.to());

      VerbsException refusal =
          catchThrowableOfType(VerbsException.class, () -> qp.modify(attr, mask));

      assertThat(refusal)
          .as(rule + " with " + mask)
          .hasMessageContainingAll(
              rule.from() + " -> " + rule.to() + " (" + rule.type() + ")", mentioned);
      assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
      assertThat(qp.query()).hasToString(before);
    }
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void takesTheRequiredAttributesAndAnyOptionalOne(TransitionRule rule) {
    assertTaken(rule, rule.mask());
    for (QpAttrMask optional : rule.optional()) {
      Set<QpAttrMask> mask = rule.mask();
      mask.add(optional);
      assertTaken(rule, mask);
    }
    Set<QpAttrMask> all = rule.mask();
    all.addAll(rule.optional());
    assertTaken(rule, all);
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void refusesToMissAnyRequiredAttribute(TransitionRule rule) {
    for (QpAttrMask missing : rule.required()) {
      Set<QpAttrMask> mask = rule.mask();
      mask.remove(missing);
      assertRefused(rule, mask, " needs " + missing);
    }
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void refusesAnyOtherAttribute(TransitionRule rule) {
    for (QpAttrMask forbidden : rule.forbidden()) {
      Set<QpAttrMask> mask = rule.mask();
      mask.add(forbidden);
      if (ignored(rule.type()).contains(forbidden)) {
        assertTaken(rule, mask);
      } else {
        assertRefused(rule, mask, " does not allow " + forbidden);
      }
    }
  }

  /** Attributes that the type has no use for, so that Linux drops them before it looks. */
  private static Set<QpAttrMask> ignored(QpType type) {
    return switch (type) {
      case XRC_SEND -> EnumSet.of(QpAttrMask.MAX_DEST_RD_ATOMIC, QpAttrMask.MIN_RNR_TIMER);
      case XRC_RECV ->
          EnumSet.of(QpAttrMask.MAX_QP_RD_ATOMIC, QpAttrMask.RETRY_CNT, QpAttrMask.RNR_RETRY);
      case RC, UC, UD, RAW_PACKET, DRIVER -> EnumSet.noneOf(QpAttrMask.class);
    };
  }

  @ParameterizedTest
  @MethodSource("impossibleTransitions")
  void refusesATransitionThatDoesNotExistWhateverIsGiven(TransitionRule pair) {
    String reason = " is not a transition that can be asked for";
    Set<QpAttrMask> usual = EnumSet.of(QpAttrMask.STATE);
    TransitionRule.OF_DOCUMENTS.stream()
        .filter(rule -> rule.type() == pair.type() && rule.to() == pair.to())
        .forEach(rule -> usual.addAll(rule.required()));
    assertRefused(pair, EnumSet.of(QpAttrMask.STATE), reason);
    assertRefused(pair, usual, reason);
    assertRefused(pair, EnumSet.allOf(QpAttrMask.class), reason);
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void aMaskWithoutStateIsCheckedAsCurrentToCurrent(TransitionRule rule) {
    Set<QpAttrMask> mask = EnumSet.noneOf(QpAttrMask.class);
    mask.addAll(rule.required());
    mask.addAll(rule.optional());
    TransitionRule stay = TransitionRule.of(rule.type(), rule.from(), rule.from());
    boolean isAllowed = mask.isEmpty() || (stay != null && stay.optional().containsAll(mask));
    TransitionRule same =
        new TransitionRule(rule.type(), rule.from(), rule.from(), Set.of(), Set.of());
    if (isAllowed) {
      assertTaken(same, mask);
    } else {
      assertRefused(same, mask, "");
    }
  }

  private static void assertSame(
      TransitionTable table, List<TransitionRule> expected, QpType type) {
    for (QpState from : QpState.values()) {
      for (QpState to : QpState.values()) {
        TransitionRule rule =
            expected.stream()
                .filter(each -> each.type() == type && each.from() == from && each.to() == to)
                .findFirst()
                .orElse(null);
        Transition row = table.find(type, from, to).orElse(null);
        TransitionRule actual =
            row == null
                ? null
                : new TransitionRule(
                    row.type(), row.from(), row.to(), row.required(), row.optional());
        assertThat(actual).as(type + " " + from + " -> " + to).isEqualTo(rule);
      }
    }
  }

  /** Also cells that no call can reach, such as SQE of a connection. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
  void theTablesAreThoseOfLinuxAndTheDocuments(QpType type) {
    assertSame(TransitionTable.linux(), TransitionRule.OF_LINUX, type);
    assertSame(TransitionTable.documented(), TransitionRule.OF_DOCUMENTS, type);
  }

  @Test
  void hasNoRowForOtherTypes() {
    assertThat(TransitionTable.types()).containsExactlyElementsOf(TransitionRule.TYPES);
    assertThat(TransitionTable.linux().rows()).hasSameSizeAs(TransitionRule.OF_LINUX);
    assertThat(TransitionTable.documented().rows()).hasSameSizeAs(TransitionRule.OF_DOCUMENTS);
  }

  @Test
  void theProfileSaysWhichTableCounts() {
    assertThat(DeviceProfile.standard().transitions()).isSameAs(TransitionTable.documented());
    assertThat(DeviceProfile.softRoce().transitions()).isSameAs(TransitionTable.linux());
  }
}

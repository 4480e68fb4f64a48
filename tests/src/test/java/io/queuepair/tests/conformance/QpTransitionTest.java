package io.queuepair.tests.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queuepair.verbs.DeviceCapFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.VerbsException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The transition table of a reliable connection, pair by pair and attribute by attribute, as Linux
 * has it; and RESET to ERR, which the specification allows ("from any state") and Linux does not.
 */
final class QpTransitionTest {
  private static final Set<QpState> STATES =
      EnumSet.of(QpState.RESET, QpState.INIT, QpState.RTR, QpState.RTS, QpState.ERR);

  /** Attributes that only devices with path migration take. */
  private static final Set<QpAttrMask> MIGRATION =
      EnumSet.of(QpAttrMask.ALT_PATH, QpAttrMask.PATH_MIG_STATE);

  private static final List<Rule> RULES = rules();

  /** What one transition requires and allows besides the state. */
  record Rule(QpState from, QpState to, Set<QpAttrMask> required, Set<QpAttrMask> optional) {
    Set<QpAttrMask> mask() {
      Set<QpAttrMask> mask = EnumSet.of(QpAttrMask.STATE);
      mask.addAll(required);
      return mask;
    }

    @Override
    public String toString() {
      return from + " -> " + to;
    }
  }

  private static List<Rule> rules() {
    List<Rule> rules = new ArrayList<>();
    for (String[] row : Table.rows("qp_transitions.tsv")) {
      rules.add(
          new Rule(QpState.valueOf(row[0]), QpState.valueOf(row[1]), mask(row[2]), mask(row[3])));
    }
    Set<QpAttrMask> none = EnumSet.noneOf(QpAttrMask.class);
    rules.add(new Rule(QpState.RESET, QpState.ERR, none, none));
    return rules;
  }

  private static Set<QpAttrMask> mask(String names) {
    Set<QpAttrMask> mask = EnumSet.noneOf(QpAttrMask.class);
    if (!names.equals("-")) {
      Stream.of(names.split("\\|")).map(QpAttrMask::valueOf).forEach(mask::add);
    }
    return mask;
  }

  static Stream<Rule> transitions() {
    return RULES.stream();
  }

  static Stream<Arguments> impossibleTransitions() {
    List<Arguments> impossible = new ArrayList<>();
    for (QpState from : STATES) {
      for (QpState to : STATES) {
        if (RULES.stream().noneMatch(rule -> rule.from == from && rule.to == to)) {
          impossible.add(Arguments.of(from, to));
        }
      }
    }
    return impossible.stream();
  }

  static Stream<Arguments> requiredAttributes() {
    return RULES.stream().flatMap(rule -> rule.required.stream().map(a -> Arguments.of(rule, a)));
  }

  static Stream<Arguments> optionalAttributes() {
    return RULES.stream().flatMap(rule -> rule.optional.stream().map(a -> Arguments.of(rule, a)));
  }

  static Stream<Arguments> forbiddenAttributes() {
    return RULES.stream()
        .flatMap(
            rule -> {
              Set<QpAttrMask> forbidden = EnumSet.allOf(QpAttrMask.class);
              forbidden.removeAll(rule.mask());
              forbidden.removeAll(rule.optional);
              return forbidden.stream().map(attribute -> Arguments.of(rule, attribute));
            });
  }

  /** Every attribute with a value that is right for both sides of a pair. */
  private static QpAttr attributes(Pair pair, QpState from, QpState to) {
    return QpAttributeSamples.valid(pair).qpState(to).curQpState(from);
  }

  private static void assertRefused(
      Pair pair, QpAttr attr, Set<QpAttrMask> mask, String mentioned) {
    String before = pair.a().qp().query().toString();

    VerbsException refusal =
        catchThrowableOfType(VerbsException.class, () -> pair.a().qp().modify(attr, mask));

    assertThat(refusal).hasMessageContaining(mentioned);
    assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
    assertThat(pair.a().qp().query()).hasToString(before);
  }

  @ParameterizedTest
  @MethodSource("transitions")
  void succeedsWithTheRequiredAttributes(Rule rule) {
    try (Pair pair = QpAttributeSamples.pairIn(rule.from)) {
      pair.a().qp().modify(attributes(pair, rule.from, rule.to), rule.mask());

      assertThat(pair.a().state()).isEqualTo(rule.to);
    }
  }

  @ParameterizedTest
  @MethodSource("impossibleTransitions")
  void isRefusedBetweenOtherStates(QpState from, QpState to) {
    try (Pair pair = QpAttributeSamples.pairIn(from)) {
      assertRefused(
          pair, attributes(pair, from, to), EnumSet.of(QpAttrMask.STATE), from + " -> " + to);
    }
  }

  @ParameterizedTest
  @MethodSource("impossibleTransitions")
  void isRefusedBetweenOtherStatesWhateverIsGiven(QpState from, QpState to) {
    Set<QpAttrMask> usual = EnumSet.of(QpAttrMask.STATE);
    RULES.stream().filter(rule -> rule.to == to).forEach(rule -> usual.addAll(rule.required));
    try (Pair pair = QpAttributeSamples.pairIn(from)) {
      assertRefused(pair, attributes(pair, from, to), usual, from + " -> " + to);
    }
  }

  @ParameterizedTest
  @MethodSource("requiredAttributes")
  void isRefusedWithoutARequiredAttribute(Rule rule, QpAttrMask missing) {
    Set<QpAttrMask> mask = rule.mask();
    mask.remove(missing);
    try (Pair pair = QpAttributeSamples.pairIn(rule.from)) {
      assertRefused(pair, attributes(pair, rule.from, rule.to), mask, missing.name());
    }
  }

  @ParameterizedTest
  @MethodSource("forbiddenAttributes")
  void isRefusedWithAnAttributeThatIsNotAllowed(Rule rule, QpAttrMask forbidden) {
    Set<QpAttrMask> mask = rule.mask();
    mask.add(forbidden);
    try (Pair pair = QpAttributeSamples.pairIn(rule.from)) {
      assertRefused(pair, attributes(pair, rule.from, rule.to), mask, forbidden.name());
    }
  }

  @ParameterizedTest
  @MethodSource("optionalAttributes")
  void takesAnOptionalAttribute(Rule rule, QpAttrMask optional) {
    Set<QpAttrMask> mask = rule.mask();
    mask.add(optional);
    try (Pair pair = QpAttributeSamples.pairIn(rule.from)) {
      QpAttr attr = attributes(pair, rule.from, rule.to);
      boolean migrates =
          pair.a().context().queryDevice().deviceCapFlags().contains(DeviceCapFlag.AUTO_PATH_MIG);
      if (MIGRATION.contains(optional) && !migrates) {
        assertRefused(pair, attr, mask, optional.name());
      } else {
        pair.a().qp().modify(attr, mask);
        assertThat(pair.a().state()).isEqualTo(rule.to);
      }
    }
  }
}

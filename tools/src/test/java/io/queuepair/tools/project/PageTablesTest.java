// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.project;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.verbs.CompletionChannel;
import io.queuepair.verbs.CompletionQueue;
import io.queuepair.verbs.Context;
import io.queuepair.verbs.Device;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.QpAttr;
import io.queuepair.verbs.QpAttrMask;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import io.queuepair.verbs.QueuePair;
import io.queuepair.verbs.Verb;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables that people have written say what the device does. */
final class PageTablesTest {
  private static final String STATES = "docs/tutorial/states-and-attributes.md";
  private static final String[] SHEET = {"type", "RESET to INIT", "INIT to RTR", "RTR to RTS"};
  private static final String RESET_TO_INIT = "docs/reference/reset-to-init.md";
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern FUNCTION = Pattern.compile("(ibv_\\w+)\\(");
  private static final Pattern CALL = Pattern.compile("\\b[a-z]+\\.(\\w+)\\(");

  /** Types whose calls the tables of the page have. */
  private static final List<Class<?>> VERBS =
      List.of(
          Device.class,
          Context.class,
          ProtectionDomain.class,
          CompletionQueue.class,
          CompletionChannel.class,
          QueuePair.class);

  private static List<String> codes(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  private static Set<QpAttrMask> attributes(String cell) {
    Set<QpAttrMask> named = EnumSet.noneOf(QpAttrMask.class);
    codes(cell).forEach(name -> named.add(QpAttrMask.valueOf(name)));
    return named;
  }

  private static Set<QpAttrMask> required(QpType type, QpState from, QpState to) {
    return TransitionTable.documented().find(type, from, to).orElseThrow().required();
  }

  /** A cell of the cheat sheet, possibly by way of the type that it refers to. */
  private static String cell(QpType type, int column) {
    String cell =
        MarkdownTable.rows(STATES, SHEET).stream()
            .filter(row -> row.get(0).equals(type.name()))
            .findFirst()
            .orElseThrow()
            .get(column);
    return cell.startsWith("as ") ? cell(QpType.valueOf(cell.substring(3)), column) : cell;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DRIVER")
  void theCheatSheetNamesWhatEachTypeNeeds(QpType type) {
    assertThat(attributes(cell(type, 1))).isEqualTo(required(type, QpState.RESET, QpState.INIT));
    assertThat(attributes(cell(type, 2))).isEqualTo(required(type, QpState.INIT, QpState.RTR));
    assertThat(attributes(cell(type, 3))).isEqualTo(required(type, QpState.RTR, QpState.RTS));
  }

  @Test
  void theStepFromResetHasWhatThePageSays() {
    Set<QpType> seen = EnumSet.noneOf(QpType.class);
    for (List<String> row : MarkdownTable.rows(RESET_TO_INIT, "type", "required")) {
      for (String name : row.get(0).split(", ", -1)) {
        QpType type = QpType.valueOf(name);
        Transition step =
            TransitionTable.documented().find(type, QpState.RESET, QpState.INIT).orElseThrow();
        assertThat(attributes(row.get(1))).as(name).isEqualTo(step.required());
        assertThat(attributes(row.get(2))).as(name).isEqualTo(step.optional());
        seen.add(type);
      }
    }
    assertThat(seen).isEqualTo(TransitionTable.types());
  }

  @Test
  void everyAttributeOfTheCheatSheetIsExplainedByItsNames() {
    Set<QpAttrMask> explained = EnumSet.noneOf(QpAttrMask.class);
    for (List<String> row : MarkdownTable.rows(STATES, "mask, Java setter, C field")) {
      List<String> names = codes(row.get(0));
      assertThat(QpAttr.class.getMethods()).extracting(Method::getName).contains(names.get(1));
      assertThat(names.get(2).replace("_", "")).isEqualToIgnoringCase(names.get(1));
      assertThat(row).as(names.get(0)).hasSize(4).doesNotContain("");
      explained.add(QpAttrMask.valueOf(names.get(0)));
    }

    Set<QpAttrMask> needed = EnumSet.noneOf(QpAttrMask.class);
    for (QpType type : TransitionTable.types()) {
      needed.addAll(required(type, QpState.RESET, QpState.INIT));
      needed.addAll(required(type, QpState.INIT, QpState.RTR));
      needed.addAll(required(type, QpState.RTR, QpState.RTS));
    }
    assertThat(explained).isEqualTo(needed);
  }

  @Test
  void aCallInJavaIsTheFunctionInCThatStandsBesideIt() {
    for (List<String> row : MarkdownTable.rows("docs/tutorial/from-c-to-java.md", "C", "Java")) {
      String function = first(FUNCTION, row.get(0));
      String method = first(CALL, row.get(1));
      assertThat(functions(method)).as(row.get(1)).contains(function);
    }
  }

  private static String first(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult found) -> found.group(1))
        .findFirst()
        .orElseThrow();
  }

  /** Functions of C for which methods of a name stand. */
  private static Set<String> functions(String method) {
    return VERBS.stream()
        .flatMap(type -> Stream.of(type.getMethods()))
        .filter(one -> one.getName().equals(method) && one.isAnnotationPresent(Verb.class))
        .flatMap(one -> Arrays.stream(one.getAnnotation(Verb.class).value()))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import static org.assertj.core.api.Assertions.assertThat;

import io.queuepair.emulator.profile.Transition;
import io.queuepair.emulator.profile.TransitionTable;
import io.queuepair.tools.states.PictureLayout.Point;
import io.queuepair.verbs.QpState;
import io.queuepair.verbs.QpType;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

final class StatePictureTest {
  private static final TransitionTable TABLE = TransitionTable.documented();
  private static final Pattern NAME = Pattern.compile("class=\"name\"[^>]*>([A-Z]+)<");
  private static final Pattern ARROW = Pattern.compile("<a href=\"#([A-Z]+)-([A-Z]+)\"");
  private static final Pattern ENDS = Pattern.compile("M(\\d+) (\\d+) .*[ L](\\d+) (\\d+)");

  /** Gives each arrow a link that says what it is. */
  private static final PictureView NAMED =
      new PictureView() {
        @Override
        public Optional<String> link(QpState from, QpState to) {
          return Optional.of("#" + from + "-" + to);
        }
      };

  private static List<String> states(String svg) {
    return NAME.matcher(svg).results().map(name -> name.group(1)).toList();
  }

  private static List<String> arrows(String svg) {
    return ARROW
        .matcher(svg)
        .results()
        .map(arrow -> arrow.group(1) + " " + arrow.group(2))
        .toList();
  }

  @Test
  void unreliableTypesHaveSevenStatesAndReliableOnesSix() {
    // InfiniBand Architecture, 10.3.1: SQE does not exist for reliable services.
    for (QpType type : List.of(QpType.UC, QpType.UD, QpType.RAW_PACKET)) {
      assertThat(states(StatePicture.document(TABLE, type)))
          .containsExactlyInAnyOrder("RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR");
    }
    for (QpType type : List.of(QpType.RC, QpType.XRC_SEND, QpType.XRC_RECV)) {
      assertThat(states(StatePicture.document(TABLE, type)))
          .containsExactlyInAnyOrder("RESET", "INIT", "RTR", "RTS", "SQD", "ERR");
    }
  }

  @Test
  void drawsWhatACallAsksForAndWhatHappensByItself() {
    // InfiniBand Architecture, 10.3.1: a send in error takes RTS to SQE, other errors go to ERR.
    List<String> reliable =
        List.of(
            "RESET INIT",
            "INIT INIT",
            "INIT RTR",
            "RTR RTS",
            "RTS RTS",
            "RTS SQD",
            "SQD RTS",
            "SQD SQD",
            "RTR ERR",
            "RTS ERR",
            "SQD ERR");
    assertThat(arrows(StatePicture.inPage(TABLE, QpType.RC, NAMED)))
        .containsExactlyInAnyOrderElementsOf(reliable);
    assertThat(arrows(StatePicture.inPage(TABLE, QpType.UD, NAMED)))
        .hasSize(reliable.size() + 3)
        .containsAll(reliable)
        .contains("SQE RTS", "RTS SQE", "SQE ERR");
  }

  @Test
  void saysFromWhichStatesErrCanBeAskedFor() {
    // qp_state_table of Linux has no row from RESET to ERR.
    assertThat(StatePicture.document(TransitionTable.linux(), QpType.RC))
        .contains(">from any but RESET<");
    assertThat(StatePicture.document(TABLE, QpType.RC)).doesNotContain("any but");
  }

  @ParameterizedTest
  @EnumSource(
      value = QpType.class,
      names = {"RC", "UC", "UD", "RAW_PACKET", "XRC_SEND", "XRC_RECV"})
  void isADocumentThatNeedsNoOther(QpType type) throws Exception {
    String svg = StatePicture.document(TABLE, type);
    Document document =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));

    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    assertThat(svg).contains("prefers-color-scheme: dark").doesNotContain("url(", "@import");
  }

  @Test
  void everyArrowBeginsAndEndsAtTheEdgeOfItsStates() {
    List<String> wrong = new ArrayList<>();
    for (QpType type : TransitionTable.types()) {
      for (Transition row : TABLE.rows()) {
        boolean isDrawn = row.to() != QpState.RESET && row.to() != QpState.ERR;
        if (row.type() == type && isDrawn) {
          String path = PictureLayout.asked(row.from(), row.to()).path();
          addIfApart(row.from(), row.to(), path, wrong);
        }
      }
      for (AutomaticTransition change : AutomaticTransition.of(type)) {
        String path = PictureLayout.automatic(change.from(), change.to()).path();
        addIfApart(change.from(), change.to(), path, wrong);
      }
    }

    assertThat(wrong).isEmpty();
  }

  private static void addIfApart(QpState from, QpState to, String path, List<String> wrong) {
    MatchResult ends = ENDS.matcher(path).results().findFirst().orElseThrow();
    if (!isAtEdge(from, ends.group(1), ends.group(2))
        || !isAtEdge(to, ends.group(3), ends.group(4))) {
      wrong.add(from + " to " + to + ": " + path);
    }
  }

  /** Whether a place is at most three units off the border of a box. */
  private static boolean isAtEdge(QpState state, String x, String y) {
    Point middle = PictureLayout.STATES.get(state);
    int right = Math.abs(Integer.parseInt(x) - middle.x()) - PictureLayout.HALF_WIDTH;
    int below = Math.abs(Integer.parseInt(y) - middle.y()) - PictureLayout.HALF_HEIGHT;
    return Math.abs(Math.max(right, below)) <= 3;
  }
}

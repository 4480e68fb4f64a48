// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.queuepair.tools.page.PageTemplate;
import io.queuepair.tools.scenario.PageContent;
import io.queuepair.tools.scenario.ScenarioPlayer;
import io.queuepair.tools.site.Navigation;
import io.queuepair.tools.site.Site;
import java.util.List;
import java.util.Map;

/** Pages of the playground: an editor, and a run or a message below it. */
final class PlaygroundPage {
  private static final String DESCRIPTION =
      "Edit a scenario, run it on a software RDMA device, drop or delay its packets.";

  private PlaygroundPage() {}

  /**
   * Content around the player of a run: the reason why the run ended early, or a message that all
   * expectations hold.
   *
   * @param exercise name of the exercise that the text answers; empty if none
   * @param grade sentences of the grade; empty without an exercise
   */
  static PageContent around(
      String exercise, String text, ScenarioPlayer player, List<String> grade) {
    String message = "";
    if (!grade.isEmpty()) {
      String sentences = PageContent.escaped(String.join("\n", grade)).replaceAll("\n +", "\n");
      String list = "<ul>\n<li>" + sentences.replace("\n", "</li>\n<li>") + "</li>\n</ul>";
      message = "<div role=\"status\">\n" + list + "\n</div>\n";
    } else if (!player.end().isEmpty()) {
      message = alert(player.end().replaceFirst("\\.$", "") + ". This is the run up to there");
    } else if (player.expectations() > 0) {
      message = "<p role=\"status\">All that is expected has happened.</p>\n";
    }
    return new PageContent(
        Navigation.ofPlayground(),
        DESCRIPTION,
        message + editor(exercise, text),
        exercise.isEmpty(),
        Map.of(),
        Site.PLAYER);
  }

  /** Page with the editor only. */
  static String of(String exercise, String text) {
    return filled(exercise, text, "");
  }

  /** Page with the editor and an error message. */
  static String failed(String exercise, String text, String error) {
    return filled(exercise, text, alert(error));
  }

  private static String alert(String sentence) {
    return "<p role=\"alert\">" + PageContent.escaped(sentence) + ".</p>\n";
  }

  private static String filled(String exercise, String text, String message) {
    Map<String, String> parts =
        Map.of(
            "TOP",
            Navigation.ofPlayground(),
            "DESCRIPTION",
            DESCRIPTION,
            "MESSAGE",
            message,
            "EDITOR",
            editor(exercise, text));
    return PageContent.filled(read("playground.html"), parts);
  }

  private static String editor(String exercise, String text) {
    String name = PageContent.escaped(exercise);
    return PageContent.filled(
        read("editor.html"),
        Map.of("FORM", PageContent.FORM, "EXERCISE", name, "SCENARIO", PageContent.escaped(text)));
  }

  static String read(String name) {
    return PageTemplate.text(PlaygroundPage.class, name);
  }
}

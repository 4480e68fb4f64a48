// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import io.queuepair.tools.site.Site;
import java.util.Optional;

/** Handles requests of the playground, where scenarios are edited and run. */
final class Playground {
  private static final int MOST_CHARACTERS = 50_000;
  private static final int UNPROCESSABLE = 422;
  private static final String FIRST = "first.md";

  private final UntrustedRuns runs;

  Playground(UntrustedRuns runs) {
    this.runs = runs;
  }

  /**
   * Page with the editor.
   *
   * @param query part of the URL after the question mark; may name a scenario or an exercise
   */
  WebAnswer open(String query) {
    FormFields fields = FormFields.of(query);
    String scenario = fields.value("scenario");
    String exercise = fields.value("exercise");
    if (scenario.isEmpty() && exercise.isEmpty()) {
      return WebAnswer.html(200, PlaygroundPage.of("", PlaygroundPage.read(FIRST)));
    }
    Optional<String> text = exercise.isEmpty() ? Site.scenario(scenario) : Site.exercise(exercise);
    return text.map(found -> WebAnswer.html(200, PlaygroundPage.of(exercise, found)))
        .orElseGet(() -> WebAnswer.of(404, "There is no scenario or exercise of that name"));
  }

  WebAnswer run(String form) {
    FormFields fields = FormFields.of(form);
    String text = fields.value("text").replace("\r\n", "\n");
    if (text.length() > MOST_CHARACTERS) {
      return failed("", "", "The scenario has more than " + MOST_CHARACTERS + " characters");
    }
    String changed = AddedFault.to(text, fields.value("fault"));
    String exercise = fields.value("exercise");
    boolean isAnswer = Site.exercise(exercise).isPresent();
    RunAnswer answer = runs.run(isAnswer ? PlaygroundProcess.answer(exercise, changed) : changed);
    if (answer.isFailed()) {
      return failed(isAnswer ? exercise : "", changed, answer.error());
    }
    return fields.value("as").equals("file")
        ? WebAnswer.download("scenario.md", answer.file())
        : WebAnswer.html(200, answer.page());
  }

  private static WebAnswer failed(String exercise, String text, String error) {
    return WebAnswer.html(UNPROCESSABLE, PlaygroundPage.failed(exercise, text, error));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Content of a page besides the run.
 *
 * @param top HTML above the title, with links to other pages; empty for none
 * @param description one or two sentences for search engines, as plain text
 * @param text HTML below the title: purpose of the scenario
 * @param hasFaultButtons whether each packet has buttons that submit a fault for it with the form
 *     {@value #FORM}
 * @param terms addresses of explanations by term
 * @param assets address, without {@code .css} and {@code .js}, of the stylesheet and the script of
 *     players; empty to embed them in the page
 */
public record PageContent(
    String top,
    String description,
    String text,
    boolean hasFaultButtons,
    Map<String, String> terms,
    String assets) {
  /** Id of the form for the buttons of packets. */
  public static final String FORM = "playground";

  private static final Pattern PLACEHOLDER = Pattern.compile("@([A-Z]+)@");

  /**
   * Fills a template with placeholders such as {@code @TITLE@} in one pass: placeholders inside of
   * parts are not replaced.
   */
  public static String filled(String template, Map<String, String> parts) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(parts.get(found.group(1))));
  }

  public static String escaped(String text) {
    return XmlWriter.escaped(text);
  }

  /** Creates the content of a page that is no part of a site. */
  static PageContent of(ScenarioFile file) {
    XmlWriter text = new XmlWriter();
    String all = String.join("\n", file.text()).strip();
    for (String paragraph : all.split("\n\\s*\n", -1)) {
      text.element("p", paragraph).newLine();
    }
    return new PageContent("", all.replaceAll("\\s+", " "), text.toString(), false, Map.of(), "");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Content of a page besides the run.
 *
 * @param top markup above the title: the way to other pages; empty if there are none
 * @param description a sentence or two for search engines, as text
 * @param text markup below the title: what the scenario shows and why
 * @param hasFaultButtons whether each packet has buttons that send a fault for it with the form
 *     {@value #FORM}
 * @param terms where terms are explained, by term
 * @param assets the address of the style and the script of players, without {@code .css} and {@code
 *     .js}; empty if they are to stand in the page
 */
public record PageContent(
    String top,
    String description,
    String text,
    boolean hasFaultButtons,
    Map<String, String> terms,
    String assets) {
  /** The identifier of the form that the buttons of packets belong to. */
  public static final String FORM = "playground";

  private static final Pattern PLACEHOLDER = Pattern.compile("@([A-Z]+)@");

  /**
   * Fills a template with placeholders such as {@code @TITLE@} in one pass: what looks like one in
   * a part stays as it is.
   */
  public static String filled(String template, Map<String, String> parts) {
    return PLACEHOLDER
        .matcher(template)
        .replaceAll(found -> Matcher.quoteReplacement(parts.get(found.group(1))));
  }

  public static String escaped(String text) {
    return XmlWriter.escaped(text);
  }

  /** Content of a page that stands alone. */
  static PageContent of(ScenarioFile file) {
    XmlWriter text = new XmlWriter();
    String all = String.join("\n", file.text()).strip();
    for (String paragraph : all.split("\n\\s*\n", -1)) {
      text.element("p", paragraph).newLine();
    }
    return new PageContent("", all.replaceAll("\\s+", " "), text.toString(), false, Map.of(), "");
  }
}

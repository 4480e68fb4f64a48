// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

/**
 * What a page says besides the run.
 *
 * @param top markup above the title: the way to other pages; empty if there are none
 * @param description a sentence or two for search engines, as text
 * @param text markup below the title: what the scenario shows and why
 */
public record PageContent(String top, String description, String text) {
  /** Text as markup. */
  public static String escaped(String text) {
    return XmlWriter.escaped(text);
  }

  /** For a page that stands alone. */
  static PageContent of(ScenarioFile file) {
    XmlWriter text = new XmlWriter();
    String all = String.join("\n", file.text()).strip();
    for (String paragraph : all.split("\n\\s*\n", -1)) {
      text.element("p", paragraph).newLine();
    }
    return new PageContent("", all.replaceAll("\\s+", " "), text.toString());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.Locale;

/**
 * A page that is made of tables and runs, as Markdown.
 *
 * @param source its path among the pages of the project; there is no such file
 * @param markdown its text
 */
record LookUpPage(String source, String markdown) {
  /** The page of one thing. */
  static LookUpPage of(String folder, String name, String markdown) {
    return new LookUpPage("docs/" + folder + "/" + name.toLowerCase(Locale.ROOT) + ".md", markdown);
  }

  /** The list of all things of a folder. */
  static LookUpPage index(String folder, String markdown) {
    return new LookUpPage("docs/" + folder + "/README.md", markdown);
  }
}

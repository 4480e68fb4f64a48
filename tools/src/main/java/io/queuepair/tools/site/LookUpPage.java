// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

/**
 * A page that is made of tables and runs, as Markdown.
 *
 * @param source its path among the pages of the project; there is no such file
 * @param markdown its text
 * @param picture markup that stands below the title; empty if there is none
 */
record LookUpPage(String source, String markdown, String picture) {
  static LookUpPage of(String source, String markdown) {
    return new LookUpPage(source, markdown, "");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.transitions;

import java.util.Locale;

/** The forms in which a table can be printed. */
enum Format {
  TABLE,
  MARKDOWN,
  MERMAID,
  SVG;

  boolean isDiagram() {
    return this == MERMAID || this == SVG;
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

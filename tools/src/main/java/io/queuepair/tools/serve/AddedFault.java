// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.serve;

import java.util.ArrayList;
import java.util.List;

/** Adds a fault to the text of a scenario. */
final class AddedFault {
  private static final String COMMANDS = "```commands";
  private static final String VERB = "fault ";

  private AddedFault() {}

  /**
   * Returns the text with a further statement, after the faults at the beginning of its commands.
   *
   * @param text a scenario
   */
  static String to(String text, String fault) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int at = lines.indexOf(COMMANDS) + 1;
    if (at == 0 || fault.isBlank()) {
      return text;
    }
    while (at < lines.size() && lines.get(at).startsWith(VERB)) {
      at++;
    }
    lines.add(at, VERB + fault.strip().lines().findFirst().orElseThrow());
    return String.join("\n", lines) + "\n";
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.demo;

import io.queuepair.tools.cli.CompletionText;
import io.queuepair.verbs.AsyncEvent;
import io.queuepair.verbs.WorkCompletion;
import java.io.PrintWriter;
import java.util.Locale;

/** Prints the demo: a sentence for each step, and the results indented below. */
final class DemoPrinter {
  private static final String INDENT = "   ";

  private static final int WIDTH = 88;

  /** Prefix of the line with the reason of a failure. */
  private static final String WHY = INDENT + "  why: ";

  private final PrintWriter out;
  private int step;

  /** The reason that was printed last. */
  private String lastReason = "";

  DemoPrinter(PrintWriter out) {
    this.out = out;
  }

  void paragraph(String text) {
    out.println(wrapped(text, ""));
  }

  void step(String sentence) {
    step++;
    out.println();
    out.println(wrapped(step + ". " + sentence, INDENT));
  }

  void fact(String text) {
    out.println(INDENT + text);
  }

  /** Prints a line of the ladder when a packet is sent. */
  void packet(String line) {
    out.println(INDENT + "|" + line);
  }

  private static String wrapped(String text, String indent) {
    return wrapped("", text, indent);
  }

  /** Wraps text after a prefix; further lines are indented. */
  private static String wrapped(String prefix, String text, String indent) {
    StringBuilder lines = new StringBuilder(prefix);
    int width = prefix.length();
    String separator = "";
    for (String word : text.split(" ", -1)) {
      boolean isFull = width + 1 + word.length() > WIDTH;
      if (isFull) {
        lines.append(System.lineSeparator()).append(indent).append(word);
        width = indent.length() + word.length();
      } else {
        lines.append(separator).append(word);
        width += separator.length() + word.length();
      }
      separator = " ";
    }
    return lines.toString();
  }

  void completion(String owner, WorkCompletion completion) {
    fact("completion at " + owner + ": " + CompletionText.of(completion));
    if (!completion.isSuccess()) {
      out.println(wrapped(WHY, reason(completion.explain()), " ".repeat(WHY.length())));
    }
  }

  /** Shortens a repeated reason: a failure flushes many requests for one reason. */
  private String reason(String explanation) {
    String before = lastReason;
    lastReason = explanation;
    if (explanation.equals(before)) {
      return "the same";
    }
    boolean isPrinted = !before.isEmpty() && explanation.endsWith(before);
    return isPrinted
        ? explanation.substring(0, explanation.length() - before.length()) + "see above"
        : explanation;
  }

  void event(String owner, AsyncEvent event) {
    String element =
        event instanceof AsyncEvent.QpEvent qpEvent
            ? String.format(Locale.ROOT, " of QP 0x%06x", qpEvent.qp().qpNum())
            : "";
    String kind = event.eventType() + " (" + event.eventType().text() + ")";
    fact("asynchronous event at " + owner + ": " + kind + element);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes markup that is valid HTML and XML. */
final class XmlWriter {
  private final StringBuilder text = new StringBuilder();

  XmlWriter open(String tag, String... attributes) {
    text.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      text.append(' ').append(attributes[i]).append("=\"");
      text.append(escaped(attributes[i + 1])).append('"');
    }
    text.append('>');
    return this;
  }

  XmlWriter close(String tag) {
    text.append("</").append(tag).append('>');
    return this;
  }

  XmlWriter element(String tag, String content, String... attributes) {
    open(tag, attributes);
    text.append(escaped(content));
    return close(tag);
  }

  XmlWriter markup(String written) {
    text.append(written);
    return this;
  }

  XmlWriter append(XmlWriter other) {
    text.append(other.text);
    return this;
  }

  XmlWriter newLine() {
    text.append('\n');
    return this;
  }

  static String escaped(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  static String at(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceFirst("\\.0$", "");
  }

  /** Wraps a text at spaces; breaks words longer than a line. */
  static List<String> wrapped(String content, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : content.strip().split(" ", -1)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.length() == 0 ? "" : " ").append(word);
      while (line.length() > width) {
        lines.add(line.substring(0, width));
        line.delete(0, width);
      }
    }
    lines.add(line.toString());
    return lines;
  }

  @Override
  public String toString() {
    return text.toString();
  }
}

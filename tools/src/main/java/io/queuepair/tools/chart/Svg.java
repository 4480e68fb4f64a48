// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A picture in the making. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  Svg(int width, int height) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" class=\"chart\">",
        width, height);
    add("<style>\n%s</style>", style());
    add("<rect width=\"100%%\" height=\"100%%\" class=\"ground\"/>");
  }

  /** How pictures look, on light and on dark ground. */
  private static String style() {
    try (InputStream in = Svg.class.getResourceAsStream("chart.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /**
   * Writes some text.
   *
   * @param anchor which end of it is at x: start, middle, end
   */
  void label(double x, double y, String anchor, String label) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(label));
  }

  private static String escaped(String label) {
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The whole document. */
  String document() {
    return text + "</svg>\n";
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.chart;

import java.util.List;

/**
 * A picture of how far each of several things has come towards its goal.
 *
 * @param title over it
 * @param bars from top to bottom
 */
public record Bars(String title, List<Bar> bars) {
  private static final int WIDTH = 720;
  private static final int NAME_WIDTH = 200;
  private static final int BAR_HEIGHT = 24;
  private static final int MARGIN = 50;

  /** What is as long as the picture is wide. */
  private static final double LONGEST = 2;

  private static final double HALF = 0.5;
  private static final int FULL_WIDTH = WIDTH - NAME_WIDTH - MARGIN;
  private static final String REACHED = "reached";
  private static final String MISSED = "missed";

  /**
   * One of them.
   *
   * @param name of it
   * @param share of the goal that is reached; 1 is all of it
   * @param note written into the bar
   */
  public record Bar(String name, double share, String note) {}

  /**
   * Draws it.
   *
   * @return an SVG document
   */
  public String svg() {
    Svg svg = new Svg(WIDTH, 2 * MARGIN + bars.size() * BAR_HEIGHT);
    svg.label(WIDTH / 2.0, MARGIN / 2.0, "middle", title);
    double y = MARGIN;
    for (Bar bar : bars) {
      draw(svg, bar, y);
      y += BAR_HEIGHT;
    }
    for (double share = 0; share <= LONGEST; share += HALF) {
      double x = NAME_WIDTH + share / LONGEST * FULL_WIDTH;
      svg.add(
          "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
          x, MARGIN - 4, x, y, share == 1 ? "goal" : "grid");
      String percentage = Math.round(share * 100) + " %";
      svg.label(x, y + 18, "middle", share == 1 ? "goal, " + percentage : percentage);
    }
    return svg.document();
  }

  private static void draw(Svg svg, Bar bar, double y) {
    double middle = y + BAR_HEIGHT * 0.6;
    svg.label(NAME_WIDTH - 8.0, middle, "end", bar.name());
    svg.add(
        "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" class=\"%s\"/>",
        NAME_WIDTH,
        y,
        Math.min(bar.share(), LONGEST) / LONGEST * FULL_WIDTH,
        BAR_HEIGHT - 6,
        bar.share() >= 1 ? REACHED : MISSED);
    svg.label(NAME_WIDTH + 8.0, middle, "start", bar.note());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.chart;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A picture of two figures over a number that grows by factors, on a logarithmic axis.
 *
 * @param title over it
 * @param subtitle what was run
 * @param unit of the vertical axis
 * @param quantity what is on the horizontal axis
 * @param points from the smallest number
 */
public record Plot(
    String title, String subtitle, String unit, String quantity, List<Point> points) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int MARGIN = 70;
  private static final double TITLE_Y = 24;
  private static final double LINE_HEIGHT = 16;

  /**
   * The figures for one number.
   *
   * @param number on the horizontal axis, above 0
   * @param first the figure in blue
   * @param second the figure in brown
   */
  public record Point(long number, double first, double second) {}

  /**
   * Draws it.
   *
   * @return an SVG document
   */
  public String svg() {
    Svg svg = new Svg(WIDTH, HEIGHT);
    svg.label(WIDTH / 2.0, TITLE_Y, "middle", title);
    svg.label(WIDTH / 2.0, TITLE_Y + LINE_HEIGHT, "middle", subtitle);
    svg.label(MARGIN, MARGIN - 10.0, "start", unit);
    svg.label(WIDTH / 2.0, HEIGHT - 15.0, "middle", quantity);
    Axis axis = axis();
    drawGrid(svg, axis);
    drawSeries(svg, axis, "second", Point::second);
    drawSeries(svg, axis, "first", Point::first);
    return svg.document();
  }

  private Axis axis() {
    List<Double> values = new ArrayList<>();
    points.forEach(point -> values.addAll(List.of(point.first(), point.second())));
    return Axis.of(values);
  }

  private void drawGrid(Svg svg, Axis axis) {
    for (BigDecimal tick : axis.ticks()) {
      double y = y(axis, tick.doubleValue());
      svg.add(
          "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" class=\"grid\"/>",
          MARGIN, y, WIDTH - MARGIN, y);
      svg.label(MARGIN - 6.0, y + 4, "end", Axis.label(tick));
    }
    int step = points.size() / 12 + 1;
    for (int i = 0; i < points.size(); i += step) {
      long number = points.get(i).number();
      svg.label(x(number), HEIGHT - MARGIN + 18.0, "middle", shortened(number));
    }
  }

  private void drawSeries(Svg svg, Axis axis, String series, ToDoubleFunction<Point> value) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      double x = x(point.number());
      double y = y(axis, value.applyAsDouble(point));
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      svg.add(
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"%s\"><title>%d: %.2f</title></circle>",
          x, y, series, point.number(), value.applyAsDouble(point));
    }
    svg.add("<polyline points=\"%s\" class=\"%s\"/>", path.toString().strip(), series);
  }

  private static double y(Axis axis, double value) {
    return HEIGHT - MARGIN - axis.share(value) * (HEIGHT - 2 * MARGIN);
  }

  private double x(long number) {
    double first = Math.log((double) points.get(0).number());
    double last = Math.log((double) points.get(points.size() - 1).number());
    double share = last == first ? 0.5 : (Math.log((double) number) - first) / (last - first);
    return MARGIN + share * (WIDTH - 2 * MARGIN);
  }

  /** Powers of 2 as computers count, those of 10 as people do. */
  private static String shortened(long number) {
    if (number >= 1 << 20 && number % (1 << 20) == 0) {
      return (number >> 20) + "M";
    }
    return number >= 1 << 10 && number % (1 << 10) == 0 ? (number >> 10) + "K" : "" + number;
  }
}

package io.queuepair.tools.perftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * A picture of size against what was measured. Sizes are on a logarithmic axis, since each is twice
 * the last.
 *
 * @param title over it
 * @param unit of the vertical axis
 * @param points from the smallest size
 */
record Plot(String title, String unit, List<Point> points) {
  private static final int WIDTH = 720;
  private static final int HEIGHT = 420;
  private static final int MARGIN = 70;
  private static final int GRID_LINES = 5;
  private static final String[] COLORS = {"#1f6fb2", "#c2571a"};

  /**
   * What was measured for one size.
   *
   * @param sizeBytes bytes of a message
   * @param middle average bandwidth, or typical latency
   * @param extreme peak bandwidth, or latency of the 99th percentile
   */
  record Point(long sizeBytes, double middle, double extreme) {}

  static Plot of(Settings settings, List<Result> results) {
    List<Point> points = new ArrayList<>();
    for (Result result : results) {
      if (result instanceof BandwidthResult bandwidth) {
        points.add(
            new Point(
                bandwidth.sizeBytes(),
                bandwidth.averageMibPerSecond(),
                bandwidth.peakMibPerSecond()));
      } else if (result instanceof LatencyResult latency && latency.spread() != null) {
        LatencyResult.Spread spread = latency.spread();
        points.add(new Point(latency.sizeBytes(), spread.percentile(50), spread.percentile(99)));
      }
    }
    String unit =
        settings.isLatency()
            ? "usec: typical (blue), 99 % (brown)"
            : "MiB/s: average (blue), peak (brown)";
    return new Plot(settings.title() + ", " + settings.service(), unit, points);
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"12\">%n",
            WIDTH, HEIGHT));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    label(svg, WIDTH / 2.0, MARGIN / 2.0, "middle", title);
    label(svg, MARGIN, MARGIN - 10.0, "start", unit);
    label(svg, WIDTH / 2.0, HEIGHT - 15.0, "middle", "bytes of a message");
    drawGrid(svg);
    drawSeries(svg, COLORS[1], Point::extreme);
    drawSeries(svg, COLORS[0], Point::middle);
    return svg.append("</svg>\n").toString();
  }

  private void drawGrid(StringBuilder svg) {
    for (int i = 0; i <= GRID_LINES; i++) {
      double value = top() * i / GRID_LINES;
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#ddd\"/>%n",
              MARGIN,
              y(value),
              WIDTH - MARGIN,
              y(value)));
      label(svg, MARGIN - 6.0, y(value) + 4, "end", String.format(Locale.ROOT, "%.4g", value));
    }
    int step = points.size() / 12 + 1;
    for (int i = 0; i < points.size(); i += step) {
      long size = points.get(i).sizeBytes();
      label(svg, x(size), HEIGHT - MARGIN + 18.0, "middle", shortSize(size));
    }
  }

  private void drawSeries(StringBuilder svg, String color, ToDoubleFunction<Point> value) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      double x = x(point.sizeBytes());
      double y = y(value.applyAsDouble(point));
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%d bytes: %.2f</title>"
                  + "</circle>%n",
              x,
              y,
              color,
              point.sizeBytes(),
              value.applyAsDouble(point)));
    }
    svg.append(
        String.format(
            "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\"/>%n",
            path.toString().strip(), color));
  }

  private static void label(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            text));
  }

  private double top() {
    return points.stream()
        .mapToDouble(point -> Math.max(point.middle(), point.extreme()))
        .filter(value -> value > 0)
        .max()
        .orElse(1);
  }

  private double y(double value) {
    return HEIGHT - MARGIN - value / top() * (HEIGHT - 2 * MARGIN);
  }

  private double x(long size) {
    double first = log(points.get(0).sizeBytes());
    double last = log(points.get(points.size() - 1).sizeBytes());
    double share = last == first ? 0.5 : (log(size) - first) / (last - first);
    return MARGIN + share * (WIDTH - 2 * MARGIN);
  }

  private static double log(long size) {
    return Math.log((double) size);
  }

  private static String shortSize(long size) {
    if (size >= 1 << 20) {
      return (size >> 20) + "M";
    }
    return size >= 1 << 10 ? (size >> 10) + "K" : "" + size;
  }
}

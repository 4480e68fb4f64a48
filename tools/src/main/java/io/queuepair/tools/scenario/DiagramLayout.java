// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Locale;

/** Dimensions of the diagram of a run. */
enum DiagramLayout {
  /** Layout with times in a column at the left. */
  WIDE(900, 108, 240, 760, 7, 6.3, 90),

  /** Layout for phones, where a unit is about one pixel; times are on lines of their own. */
  NARROW(374, 6, 80, 288, 7.3, 6.7, 60);

  private static final int MARGIN = 6;
  private static final int TIME_GAP = 12;

  final int width;

  /** Left edge of texts, in units of the SVG. */
  final int left;

  private final int firstLine;
  private final int lastLine;
  final double charWidth;

  /** Width of a character of labels at lines and arrows. */
  final double smallCharWidth;

  /** Width of the arrow of a packet that a device sends to itself. */
  final int loop;

  DiagramLayout(
      int width,
      int left,
      int firstLine,
      int lastLine,
      double charWidth,
      double smallCharWidth,
      int loop) {
    this.width = width;
    this.left = left;
    this.firstLine = firstLine;
    this.lastLine = lastLine;
    this.charWidth = charWidth;
    this.smallCharWidth = smallCharWidth;
    this.loop = loop;
  }

  /** CSS class of the elements with this layout. */
  String className() {
    return "on-" + name().toLowerCase(Locale.ROOT);
  }

  /** Horizontal position of the line of a device, counted from 0. */
  double line(int device, int devices) {
    return devices < 2
        ? (firstLine + lastLine) / 2.0
        : firstLine + (double) device * (lastLine - firstLine) / (devices - 1);
  }

  double distance(int devices) {
    return (double) (lastLine - firstLine) / Math.max(1, devices - 1);
  }

  /** Number of characters that fit into a line of the diagram. */
  int columns(double letterWidth) {
    return (int) ((width - left - MARGIN) / letterWidth);
  }

  /** Right edge of the column of times; not positive if there is none. */
  int timeRight() {
    return left - TIME_GAP;
  }

  boolean hasTimeColumn() {
    return timeRight() > 0;
  }

  /** Center of an element, moved so that the element stays inside the diagram. */
  double inside(double centre, double half) {
    return Math.max(left + half, Math.min(width - half - MARGIN, centre));
  }
}

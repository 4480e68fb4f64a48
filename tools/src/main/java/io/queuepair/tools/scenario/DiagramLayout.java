// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.Locale;

/** Places in the drawing of a run, and the width of its letters. */
enum DiagramLayout {
  /** Times in a column at the left. */
  WIDE(900, 108, 240, 760, 7, 6.3, 90),

  /** Layout for a phone, where a unit is about a pixel. Times have lines of their own. */
  NARROW(374, 6, 80, 288, 7.3, 6.7, 60);

  private static final int MARGIN = 6;
  private static final int TIME_GAP = 12;

  final int width;

  /** Left edge of texts. */
  final int left;

  private final int firstLine;
  private final int lastLine;
  final double charWidth;

  /** Width of a letter beside lines and arrows. */
  final double smallCharWidth;

  /** How far the arrow of a packet goes that a device sends to itself. */
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

  /** Class of its elements in the style of the page. */
  String className() {
    return "on-" + name().toLowerCase(Locale.ROOT);
  }

  /** The line of a device, the devices being counted from 0. */
  double line(int device, int devices) {
    return devices < 2
        ? (firstLine + lastLine) / 2.0
        : firstLine + (double) device * (lastLine - firstLine) / (devices - 1);
  }

  /** Distance between the lines of neighbouring devices. */
  double distance(int devices) {
    return (double) (lastLine - firstLine) / Math.max(1, devices - 1);
  }

  /** How many letters fit into the drawing. */
  int columns(double letterWidth) {
    return (int) ((width - left - MARGIN) / letterWidth);
  }

  /** Right edge of the column of times; not positive if there is no place for one. */
  int timeRight() {
    return left - TIME_GAP;
  }

  boolean hasTimeColumn() {
    return timeRight() > 0;
  }

  /** The middle of something, moved if it would leave the drawing. */
  double inside(double centre, double half) {
    return Math.max(left + half, Math.min(width - half - MARGIN, centre));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.states;

import io.queuepair.verbs.QpState;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Positions of states, arrows and labels in a picture. */
final class PictureLayout {
  static final int WIDTH = 540;
  static final int HEIGHT = 572;
  static final int HALF_WIDTH = 54;
  static final int HALF_HEIGHT = 25;

  /** Center of each state, in the order of drawing. */
  static final Map<QpState, Point> STATES = states();

  static final Curve CREATED = Curve.line(31, 44, 96, 44);
  static final Point CREATED_LABEL = new Point(24, 32);
  static final Curve ANY_TO_RESET = Curve.line(330, 44, 204, 44);
  static final Point ANY_TO_RESET_LABEL = new Point(236, 37);
  static final Curve ANY_TO_ERR = Curve.line(482, 300, 482, 349);
  static final Point ANY_TO_ERR_LABEL = new Point(432, 293);

  /** Arrow from SQD to itself: the send queue is drained. */
  static final Curve DRAINED = loop(STATES.get(QpState.SQD).y() + 13);

  static final Point DRAINED_LABEL = new Point(18, 540);

  private PictureLayout() {}

  record Point(int x, int y) {}

  record Curve(String path, String head) {
    private static final double LENGTH = 10;
    private static final double HALF = 4.5;

    static Curve line(int x1, int y1, int x2, int y2) {
      String path = "M" + x1 + " " + y1 + " L" + x2 + " " + y2;
      return new Curve(path, head(x1, y1, x2, y2));
    }

    /** Curve whose tangents at both ends point to a control point. */
    static Curve bent(int x1, int y1, Point towards, int x2, int y2) {
      String path =
          "M" + x1 + " " + y1 + " Q" + towards.x() + " " + towards.y() + " " + x2 + " " + y2;
      return new Curve(path, head(towards.x(), towards.y(), x2, y2));
    }

    private static String head(int x1, int y1, int x2, int y2) {
      double length = Math.hypot(x2 - x1, y2 - y1);
      double dx = (x2 - x1) / length;
      double dy = (y2 - y1) / length;
      double x = x2 - LENGTH * dx;
      double y = y2 - LENGTH * dy;
      return String.format(
          Locale.ROOT,
          "%d,%d %.1f,%.1f %.1f,%.1f",
          x2,
          y2,
          x - HALF * dy,
          y + HALF * dx,
          x + HALF * dy,
          y - HALF * dx);
    }
  }

  private static Map<QpState, Point> states() {
    Map<QpState, Point> states = new EnumMap<>(QpState.class);
    states.put(QpState.RESET, new Point(150, 44));
    states.put(QpState.INIT, new Point(150, 154));
    states.put(QpState.RTR, new Point(150, 264));
    states.put(QpState.RTS, new Point(150, 374));
    states.put(QpState.SQD, new Point(150, 494));
    states.put(QpState.SQE, new Point(330, 494));
    states.put(QpState.ERR, new Point(450, 374));
    return states;
  }

  /** Arrow of a transition that a call requests. */
  static Curve asked(QpState from, QpState to) {
    if (from == to) {
      int above = from == QpState.SQD ? 13 : 0;
      return loop(STATES.get(from).y() - above);
    }
    return switch (from) {
      case RESET -> Curve.line(150, 69, 150, 129);
      case INIT -> Curve.line(150, 179, 150, 239);
      case RTR -> Curve.line(150, 289, 150, 349);
      case RTS -> Curve.line(135, 399, 135, 469);
      case SQD -> Curve.line(165, 469, 165, 399);
      case SQE -> Curve.line(300, 469, 204, 388);
      case ERR, UNKNOWN -> throw new IllegalArgumentException(from + " to " + to);
    };
  }

  /** Start of the middle line of the arrow's label; empty if there is no room. */
  static Optional<Point> label(QpState from, QpState to) {
    if (from == to) {
      return from == QpState.SQD ? Optional.empty() : Optional.of(loopLabel(from));
    }
    return switch (from) {
      case RESET -> Optional.of(new Point(162, 104));
      case INIT -> Optional.of(new Point(162, 214));
      case RTR -> Optional.of(new Point(162, 324));
      case RTS -> Optional.of(new Point(102, 438));
      case SQD -> Optional.of(new Point(172, 430));
      case SQE -> Optional.of(new Point(276, 440));
      case ERR, UNKNOWN -> Optional.empty();
    };
  }

  private static Point loopLabel(QpState state) {
    return new Point(56, STATES.get(state).y() - 22);
  }

  private static Curve loop(int y) {
    String path =
        String.format(Locale.ROOT, "M96 %d C40 %d 40 %d 94 %d", y - 9, y - 20, y + 20, y + 9);
    return new Curve(path, Curve.head(75, y + 17, 96, y + 9));
  }

  /** Arrow of an automatic transition. */
  static Curve automatic(QpState from, QpState to) {
    return switch (from) {
      case RTR -> Curve.bent(204, 264, new Point(418, 264), 418, 349);
      case RTS ->
          to == QpState.SQE ? Curve.line(204, 396, 288, 469) : Curve.line(204, 366, 396, 366);
      case SQD -> Curve.bent(185, 519, new Point(500, 604), 480, 399);
      case SQE -> Curve.line(372, 469, 432, 399);
      case RESET, INIT, ERR, UNKNOWN -> throw new IllegalArgumentException(from + " to " + to);
    };
  }

  /** Start of the label of an automatic transition. */
  static Point automaticLabel(QpState from, QpState to) {
    return switch (from) {
      case RTR -> new Point(350, 257);
      case RTS -> to == QpState.SQE ? new Point(200, 461) : new Point(330, 359);
      case SQD -> new Point(440, 530);
      case SQE -> new Point(412, 446);
      case RESET, INIT, ERR, UNKNOWN -> throw new IllegalArgumentException(from + " to " + to);
    };
  }
}

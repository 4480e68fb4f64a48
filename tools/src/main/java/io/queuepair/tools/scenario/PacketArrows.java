// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Arrows of packets, from the sender to the place of arrival. */
final class PacketArrows {
  private static final double LOST_AFTER = 0.7;
  private static final int LOST_HEIGHT = 14;
  private static final double TIP = 10;
  private static final double HALF_TIP = 5;
  private static final double CROSS = 6;

  private final DiagramLayout layout;

  /** Packets by number. */
  private final List<Departure> departures = new ArrayList<>();

  private final List<Arrow> arrows = new ArrayList<>();

  /** Numbers of packets whose arrow has an end. */
  private final Set<Integer> ended = new HashSet<>();

  PacketArrows(DiagramLayout layout) {
    this.layout = layout;
  }

  /** Point in the diagram, and the index of its step. */
  record Place(int moment, double x, double y) {}

  /** Start of an arrow, and the horizontal position of the line to which it points. */
  private record Departure(TimelineEvent.PacketSent packet, Place from, double end) {}

  private enum End {
    TIP,
    CROSS,
    OPEN
  }

  private record Arrow(Departure departure, Place to, End end) {}

  /** Adds a packet; packets must be added in the order of their numbers. */
  void sent(TimelineEvent.PacketSent packet, Place from, double end) {
    Departure departure = new Departure(packet, from, end);
    departures.add(departure);
    if (packet.line().isLost()) {
      end(departure, onTheWay(departure), End.CROSS);
    } else if (packet.sent().traced().isFrame()) {
      Place to = new Place(from.moment(), end, from.y() + LOST_HEIGHT);
      end(departure, to, End.TIP);
    }
  }

  private static Place onTheWay(Departure departure) {
    Place from = departure.from();
    double x = from.x() + (departure.end() - from.x()) * LOST_AFTER;
    return new Place(from.moment(), x, from.y() + LOST_HEIGHT);
  }

  /** Ends the arrow of a packet; called several times for a multicast packet. */
  void arrived(int packet, Place to, boolean isDropped) {
    end(departures.get(packet), to, isDropped ? End.CROSS : End.TIP);
  }

  private void end(Departure departure, Place to, End end) {
    arrows.add(new Arrow(departure, to, end));
    ended.add(departure.packet().sent().number());
  }

  /** Adds open arrows for packets that have not arrived and were not dropped by a fault. */
  private void addUnderWay() {
    for (Departure departure : departures) {
      if (!ended.contains(departure.packet().sent().number())) {
        arrows.add(new Arrow(departure, onTheWay(departure), End.OPEN));
      }
    }
  }

  /** Draws all arrows as a group that is clipped at the current step. */
  XmlWriter drawnUpTo(String height) {
    XmlWriter to = new XmlWriter();
    String id = "shown-" + layout.className();
    String width = String.valueOf(layout.width);
    to.open("clipPath", "id", id).open("rect", "width", width, "height", height);
    to.close("rect").close("clipPath").open("g", "clip-path", "url(#" + id + ")").newLine();
    return to.append(drawn()).close("g").newLine();
  }

  XmlWriter drawn() {
    addUnderWay();
    XmlWriter to = new XmlWriter();
    for (Arrow arrow : arrows) {
      draw(to, arrow);
    }
    return to;
  }

  private void draw(XmlWriter to, Arrow arrow) {
    Departure departure = arrow.departure();
    String sent = String.valueOf(departure.from().moment());
    boolean isOpen = arrow.end() == End.OPEN;
    String arrives = String.valueOf(isOpen ? Integer.MAX_VALUE : arrow.to().moment());
    to.open("g", "class", "flight", "data-sent", sent, "data-arrives", arrives);
    to.open("path", "class", "arrow" + kind(arrow), "d", path(departure.from(), arrow.to()));
    to.close("path");
    String tip = tip(departure.from(), arrow);
    if (!tip.isEmpty()) {
      to.open("path", "class", "tip" + kind(arrow), "d", tip).close("path");
    }
    to.close("g").newLine();
  }

  private static String kind(Arrow arrow) {
    LadderLine line = arrow.departure().packet().line();
    if (arrow.end() != End.TIP) {
      return " lost";
    }
    if (line.isNak()) {
      return " nak";
    }
    return arrow.departure().packet().sent().retransmission().isEmpty() ? "" : " again";
  }

  /** Path of an arrow, which is bent for a packet from a device to itself. */
  private String path(Place from, Place to) {
    int bend = from.x() == to.x() ? layout.loop : 0;
    return bend == 0
        ? "M%s L%s".formatted(point(from.x(), from.y()), point(to.x(), to.y()))
        : "M%s C%s %s %s"
            .formatted(
                point(from.x(), from.y()),
                point(from.x() + bend, from.y()),
                point(to.x() + bend, to.y()),
                point(to.x(), to.y()));
  }

  private static String tip(Place from, Arrow arrow) {
    Place to = arrow.to();
    return switch (arrow.end()) {
      case OPEN -> "";
      case CROSS ->
          "M%s L%s M%s L%s"
              .formatted(
                  point(to.x() - CROSS, to.y() - CROSS),
                  point(to.x() + CROSS, to.y() + CROSS),
                  point(to.x() + CROSS, to.y() - CROSS),
                  point(to.x() - CROSS, to.y() + CROSS));
      case TIP -> head(from, to);
    };
  }

  /** Arrowhead: a triangle in the direction of the arrow. */
  private static String head(Place from, Place to) {
    boolean isLoop = from.x() == to.x();
    double dx = isLoop ? -1 : to.x() - from.x();
    double dy = isLoop ? 0 : to.y() - from.y();
    double length = Math.hypot(dx, dy);
    double backX = to.x() - TIP * dx / length;
    double backY = to.y() - TIP * dy / length;
    double sideX = HALF_TIP * dy / length;
    double sideY = HALF_TIP * dx / length;
    return "M%s L%s L%s Z"
        .formatted(
            point(to.x(), to.y()),
            point(backX - sideX, backY + sideY),
            point(backX + sideX, backY - sideY));
  }

  private static String point(double x, double y) {
    return XmlWriter.at(x) + " " + XmlWriter.at(y);
  }
}

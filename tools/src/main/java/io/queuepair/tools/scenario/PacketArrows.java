// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The arrows of packets: each from where a packet is sent to where it arrives. */
final class PacketArrows {
  private static final double LOST_AFTER = 0.7;
  private static final int LOST_HEIGHT = 14;
  private static final double TIP = 10;
  private static final double HALF_TIP = 5;
  private static final double CROSS = 6;

  private final DiagramLayout layout;

  /** Packets by their number. */
  private final List<Departure> departures = new ArrayList<>();

  private final List<Arrow> arrows = new ArrayList<>();

  /** Numbers of the packets whose arrow has an end. */
  private final Set<Integer> ended = new HashSet<>();

  /** No packet yet. */
  PacketArrows(DiagramLayout layout) {
    this.layout = layout;
  }

  /** A place in the drawing, and the step that it belongs to. */
  record Place(int moment, double x, double y) {}

  /** Beginning of an arrow, which goes towards a line whether or not the packet arrives. */
  private record Departure(TimelineEvent.PacketSent packet, Place from, double end) {}

  /** How an arrow ends. */
  private enum End {
    TIP,
    CROSS,
    OPEN
  }

  private record Arrow(Departure departure, Place to, End end) {}

  /** Packets are sent in the order of their numbers. */
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

  /** Ends the arrow of a packet; several times, if it goes to a multicast group. */
  void arrived(int packet, Place to, boolean isDropped) {
    end(departures.get(packet), to, isDropped ? End.CROSS : End.TIP);
  }

  private void end(Departure departure, Place to, End end) {
    arrows.add(new Arrow(departure, to, end));
    ended.add(departure.packet().sent().number());
  }

  /** A packet that has not arrived, and was not lost on purpose, is under way for ever. */
  private void addUnderWay() {
    for (Departure departure : departures) {
      if (!ended.contains(departure.packet().sent().number())) {
        arrows.add(new Arrow(departure, onTheWay(departure), End.OPEN));
      }
    }
  }

  /** Draws all arrows, as a group that is cut off at the step that is shown. */
  XmlWriter drawnUpTo(String height) {
    XmlWriter to = new XmlWriter();
    String id = "shown-" + layout.className();
    String width = String.valueOf(layout.width);
    to.open("clipPath", "id", id).open("rect", "width", width, "height", height);
    to.close("rect").close("clipPath").open("g", "clip-path", "url(#" + id + ")").newLine();
    return to.append(drawn()).close("g").newLine();
  }

  /** Draws all arrows. */
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

  /** A packet of a device to itself makes a bend. */
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

  /** A triangle that points where the arrow goes. */
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

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Draws a run as SVG: a line for each device from top to bottom, an arrow for each packet. */
final class SequenceDiagram {
  private static final int WIDTH = 900;
  private static final int TIME_RIGHT = 96;
  private static final int TEXT_LEFT = 108;
  private static final int FIRST_LINE = 240;
  private static final int LAST_LINE = 760;
  private static final int LINE_HEIGHT = 17;
  private static final int TEXT_WIDTH = 106;
  private static final int CHANGE_WIDTH = 70;
  private static final int CHAR_WIDTH = 7;
  private static final double SMALL_CHAR_WIDTH = 6.3;
  private static final int LABEL_GAP = 12;
  private static final int PACKET_HEIGHT = 42;
  private static final int LOST_HEIGHT = 18;
  private static final int ARRIVAL_HEIGHT = 16;
  private static final int REASON_WIDTH = 52;
  private static final int PILL_HEIGHT = 30;

  private final List<String> hosts = new ArrayList<>();
  private final XmlWriter bands = new XmlWriter();
  private final XmlWriter rows = new XmlWriter();
  private final PacketArrows arrows = new PacketArrows();
  private int y = 10;
  private int moment;

  private SequenceDiagram(List<String> hosts) {
    Set<String> devices = new LinkedHashSet<>();
    hosts.forEach(host -> devices.add(Statements.device(host)));
    this.hosts.addAll(devices);
  }

  /** The whole drawing; each moment is a group that says its number, from 0. */
  static String of(List<String> hosts, List<TimelineStep> steps) {
    SequenceDiagram diagram = new SequenceDiagram(hosts);
    List<ObjectView> before = List.of();
    for (int i = 0; i < steps.size(); i++) {
      diagram.add(i, StepEvents.of(steps.get(i), before));
      before = steps.get(i).objects();
    }
    return diagram.complete();
  }

  /** A head for each device, above its line; it is as wide as the drawing. */
  static String heads(List<String> hosts) {
    SequenceDiagram diagram = new SequenceDiagram(hosts);
    XmlWriter heads = new XmlWriter();
    for (String host : diagram.hosts) {
      String left = XmlWriter.at(diagram.x(host) * 100 / WIDTH) + "%";
      heads.open("div", "class", "head", "style", "left:" + left, "data-device", host);
      heads.element("b", host).element("span", "", "class", "states").close("div");
    }
    return heads.toString();
  }

  private void add(int number, List<TimelineEvent> happenings) {
    int top = y;
    moment = number;
    XmlWriter content = new XmlWriter();
    for (TimelineEvent happening : happenings) {
      draw(content, happening);
    }
    y = Math.max(y, top + LINE_HEIGHT) + 5;
    String height = String.valueOf(y - top);
    String width = String.valueOf(WIDTH);
    String[] band = {"class", "band", "y", at(top), "width", width, "height", height};
    bands.open("rect", band).close("rect").newLine();
    rows.open("g", "class", "moment", "data-moment", String.valueOf(number));
    rows.append(content).close("g").newLine();
    y += 2;
  }

  private void draw(XmlWriter to, TimelineEvent happening) {
    if (happening instanceof TimelineEvent.Command command) {
      drawText(to, "command", "> " + command.text());
    } else if (happening instanceof TimelineEvent.PacketSent packet) {
      drawPacket(to, packet);
    } else if (happening instanceof TimelineEvent.Arrived arrived) {
      drawArrival(to, arrived);
    } else if (happening instanceof TimelineEvent.Timer timer) {
      drawTimer(to, timer);
    } else if (happening instanceof TimelineEvent.StateChange change) {
      drawState(to, change);
    } else if (happening instanceof TimelineEvent.Note note) {
      drawText(to, noteClass(note.text()), note.text());
    } else if (happening instanceof TimelineEvent.Change change) {
      drawChange(to, change);
    } else if (happening instanceof TimelineEvent.MemoryWritten written) {
      y += LINE_HEIGHT;
      drawCentred(to, "change", written.text(), x(written.name()), y);
    }
  }

  private static String noteClass(String text) {
    if (text.startsWith("refused")) {
      return "note refused";
    }
    if (text.startsWith("  why:")) {
      return "note why";
    }
    if (text.contains("SUCCESS")) {
      return "note success";
    }
    return text.contains("_ERR") ? "note failed" : "note";
  }

  private void drawText(XmlWriter to, String kind, String text) {
    for (String line : XmlWriter.wrapped(text, TEXT_WIDTH)) {
      y += LINE_HEIGHT;
      String width = String.valueOf(line.length() * CHAR_WIDTH + 12);
      to.open(
              "rect",
              "class",
              "paper",
              "x",
              String.valueOf(TEXT_LEFT - 6),
              "y",
              String.valueOf(y - 12),
              "width",
              width,
              "height",
              String.valueOf(LINE_HEIGHT))
          .close("rect");
      to.element("text", line, "class", kind, "x", String.valueOf(TEXT_LEFT), "y", at(y));
    }
    y += 4;
  }

  /** The label is at the line of the sender, and below it the arrow begins. */
  private void drawPacket(XmlWriter to, TimelineEvent.PacketSent packet) {
    LadderLine line = packet.line();
    double from = x(line.source());
    double end = x(line.destination());
    String again = packet.sent().retransmission();
    drawTime(to, line.time(), y + 15);
    drawLabel(to, "opcode", label(line) + (again.isEmpty() ? "" : ", " + again), line, y + 15);
    drawLabel(to, "fields", line.fields(), line, y + 29);
    y += PACKET_HEIGHT;
    arrows.sent(packet, new PacketArrows.Place(moment, from, y - 4), end);
    if (line.isLost()) {
      y += LOST_HEIGHT;
    }
    if (!line.fault().isEmpty()) {
      drawCentred(to, "fault", line.fault(), (from + end) / 2, y + 10);
      y += LINE_HEIGHT;
    }
  }

  /** Beside the line of the sender, on the side where the packet goes. */
  private void drawLabel(XmlWriter to, String kind, String text, LadderLine line, int baseline) {
    boolean isToTheRight = x(line.destination()) >= x(line.source());
    double half = text.length() * (kind.equals("opcode") ? CHAR_WIDTH : SMALL_CHAR_WIDTH) / 2;
    double centre = x(line.source()) + (isToTheRight ? half + LABEL_GAP : -half - LABEL_GAP);
    drawCentred(to, kind, text, centre, baseline);
  }

  /** The opcode, and the addresses if they are not the first ones. */
  private static String label(LadderLine packet) {
    boolean isUsual = !(packet.source() + packet.destination()).contains(".");
    String way = packet.source() + " \u2192 " + packet.destination();
    return isUsual ? packet.opcode() : packet.opcode() + ", " + way;
  }

  /** Where an arrow ends; a packet that is dropped ends in a cross, with the reason below. */
  private void drawArrival(XmlWriter to, TimelineEvent.Arrived arrived) {
    ArrivedPacket packet = arrived.packet();
    double centre = x(packet.host());
    boolean isDropped = !packet.dropReason().isEmpty();
    drawTime(to, arrived.time(), y + 13);
    arrows.arrived(packet.number(), new PacketArrows.Place(moment, centre, y + 9), isDropped);
    y += ARRIVAL_HEIGHT;
    if (isDropped) {
      String text = packet.packet() + " dropped: " + packet.dropReason();
      for (String line : XmlWriter.wrapped(text, REASON_WIDTH)) {
        y += LINE_HEIGHT - 3;
        drawCentred(to, "fault", line, centre, y);
      }
      y += 4;
    }
  }

  private void drawTimer(XmlWriter to, TimelineEvent.Timer timer) {
    drawTime(to, timer.time(), y + 15);
    drawCentred(to, "timer", timer.name() + ": " + timer.text(), x(timer.name()), y + 15);
    y += LINE_HEIGHT + 4;
  }

  /** A text around a place, moved if it would leave the drawing. */
  private static void drawCentred(XmlWriter to, String kind, String text, double centre, int y) {
    double half = text.length() * SMALL_CHAR_WIDTH / 2;
    double x = Math.max(TEXT_LEFT + half, Math.min(WIDTH - half - 4, centre));
    to.open(
            "rect",
            "class",
            "paper",
            "x",
            XmlWriter.at(x - half - 4),
            "y",
            at(y - 11),
            "width",
            XmlWriter.at(2 * half + 8),
            "height",
            "15")
        .close("rect");
    to.element("text", text, "class", kind, "x", XmlWriter.at(x), "y", at(y));
  }

  private void drawState(XmlWriter to, TimelineEvent.StateChange change) {
    String text = change.name() + ": " + change.from() + " \u2192 " + change.to();
    double width = text.length() * CHAR_WIDTH + 20.0;
    double centre = x(change.name());
    drawTime(to, change.time(), y + 19);
    to.open(
            "rect",
            "class",
            "pill " + change.to(),
            "x",
            XmlWriter.at(centre - width / 2),
            "y",
            at(y + 4),
            "width",
            XmlWriter.at(width),
            "height",
            "22",
            "rx",
            "11")
        .close("rect");
    to.element("text", text, "class", "state", "x", XmlWriter.at(centre), "y", at(y + 19));
    y += PILL_HEIGHT;
  }

  private void drawChange(XmlWriter to, TimelineEvent.Change change) {
    String text = change.name() + (change.isFlush() ? " flushed: " : " ") + change.text();
    for (String line : XmlWriter.wrapped(text, CHANGE_WIDTH)) {
      y += LINE_HEIGHT;
      drawCentred(to, change.isFlush() ? "change flush" : "change", line, x(change.name()), y);
    }
  }

  private static void drawTime(XmlWriter to, String time, int y) {
    to.element(
        "text", time + " \u00b5s", "class", "time", "x", String.valueOf(TIME_RIGHT), "y", at(y));
  }

  private static String at(int coordinate) {
    return String.valueOf(coordinate);
  }

  /** Where the line of a device is; a host that is no device stands between. */
  private double x(String host) {
    int column = hosts.indexOf(Statements.device(host));
    if (column < 0 || hosts.size() < 2) {
      return (FIRST_LINE + LAST_LINE) / 2.0;
    }
    return FIRST_LINE + (double) column * (LAST_LINE - FIRST_LINE) / (hosts.size() - 1);
  }

  private String complete() {
    XmlWriter svg = new XmlWriter();
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "viewBox",
        "0 0 " + WIDTH + " " + (y + 10),
        "aria-hidden",
        "true");
    for (String host : hosts) {
      String x = XmlWriter.at(x(host));
      svg.open("line", "class", "life", "x1", x, "y1", "0", "x2", x, "y2", String.valueOf(y + 6))
          .close("line");
    }
    svg.newLine().append(bands).append(arrows.drawn(String.valueOf(WIDTH), at(y + 10)));
    return svg.append(rows).close("svg").toString();
  }
}

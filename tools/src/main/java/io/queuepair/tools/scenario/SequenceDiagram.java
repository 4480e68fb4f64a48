// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Draws a run as SVG: a vertical line for each device, an arrow for each packet. */
final class SequenceDiagram {
  private static final int LINE_HEIGHT = 17;
  private static final int SMALL_LINE_HEIGHT = 14;
  private static final int CHANGE_COLUMNS = 70;
  private static final int REASON_COLUMNS = 52;
  private static final int LABEL_GAP = 12;
  private static final int OPCODE_HEIGHT = 15;
  private static final int ARROW_HEIGHT = 13;
  private static final int LOST_HEIGHT = 18;
  private static final int ARRIVAL_HEIGHT = 16;
  private static final int PILL_HEIGHT = 30;

  private static final int HEAD_WIDTH = 104;
  private static final int HEAD_HEIGHT = 32;
  private static final int PACKET_GAP = 8;

  private final DiagramLayout layout;

  /** Whether only packets and their effects are drawn, without times and fields. */
  private final boolean isShort;

  private final List<String> hosts = new ArrayList<>();
  private final XmlWriter bands = new XmlWriter();
  private final XmlWriter rows = new XmlWriter();
  private final PacketArrows arrows;
  private String lastTime = "";
  private int y = 10;
  private int moment;
  private boolean hasPackets;

  private SequenceDiagram(DiagramLayout layout, List<String> hosts, boolean isShort) {
    this.layout = layout;
    this.isShort = isShort;
    arrows = new PacketArrows(layout);
    Set<String> devices = new LinkedHashSet<>();
    hosts.forEach(host -> devices.add(Statements.device(host)));
    this.hosts.addAll(devices);
  }

  /** Complete diagram; each step is a group with its index, from 0. */
  static String of(DiagramLayout layout, List<String> hosts, List<TimelineStep> steps) {
    SequenceDiagram diagram = new SequenceDiagram(layout, hosts, false);
    List<ObjectView> before = List.of();
    for (int i = 0; i < steps.size(); i++) {
      diagram.add(i, StepEvents.of(steps.get(i), before));
      before = steps.get(i).objects();
    }
    return diagram.complete();
  }

  /** Diagram of packets and their effects, from the first packet on, with the heads of devices. */
  static String ofPackets(List<String> hosts, List<TimelineStep> steps) {
    SequenceDiagram diagram = new SequenceDiagram(DiagramLayout.NARROW, hosts, true);
    diagram.drawHeads();
    List<ObjectView> before = List.of();
    for (int i = 0; i < steps.size(); i++) {
      List<TimelineEvent> events =
          StepEvents.of(steps.get(i), before).stream()
              .filter(event -> diagram.hasPackets || event instanceof TimelineEvent.PacketSent)
              .filter(SequenceDiagram::isOfPackets)
              .toList();
      if (!events.isEmpty()) {
        diagram.hasPackets = true;
        diagram.add(i, events);
      }
      before = steps.get(i).objects();
    }
    return diagram.complete();
  }

  private static boolean isOfPackets(TimelineEvent event) {
    if (event instanceof TimelineEvent.Change change) {
      return change.isCompletion();
    }
    return !(event instanceof TimelineEvent.Command
        || event instanceof TimelineEvent.Note
        || event instanceof TimelineEvent.MemoryRead);
  }

  private void drawHeads() {
    for (String host : hosts) {
      String x = XmlWriter.at(x(host) - HEAD_WIDTH / 2.0);
      String width = at(HEAD_WIDTH);
      String height = at(HEAD_HEIGHT);
      rows.open(
          "rect", "class", "pill", "x", x, "y", "1", "width", width, "height", height, "rx", "8");
      rows.close("rect").element("text", host, "class", "host", "x", at((int) x(host)), "y", "22");
    }
    y += HEAD_HEIGHT;
  }

  /** HTML with the head of each device, placed above the line of the device. */
  static String heads(DiagramLayout layout, List<String> hosts) {
    SequenceDiagram diagram = new SequenceDiagram(layout, hosts, false);
    XmlWriter heads = new XmlWriter();
    heads.open("div", "class", "heads " + layout.className());
    String most = percent(layout.distance(diagram.hosts.size()) - 2, layout);
    for (String host : diagram.hosts) {
      String style = "left:" + percent(diagram.x(host), layout) + ";max-width:" + most;
      heads.open("div", "class", "head", "style", style, "data-device", host);
      heads.element("b", host).element("span", "", "class", "states").close("div");
    }
    return heads.close("div").toString();
  }

  private static String percent(double part, DiagramLayout layout) {
    return XmlWriter.at(part * 100 / layout.width) + "%";
  }

  private void add(int number, List<TimelineEvent> happenings) {
    int top = y;
    moment = number;
    XmlWriter content = new XmlWriter();
    for (TimelineEvent event : happenings) {
      draw(content, event);
    }
    y = Math.max(y, top + LINE_HEIGHT) + 5;
    String height = String.valueOf(y - top);
    String width = String.valueOf(layout.width);
    String[] band = {"class", "band", "y", at(top), "width", width, "height", height};
    bands.open("rect", band).close("rect").newLine();
    rows.open("g", "class", "moment", "data-moment", String.valueOf(number));
    rows.append(content).close("g").newLine();
    y += 2;
  }

  private void draw(XmlWriter to, TimelineEvent event) {
    if (event instanceof TimelineEvent.Command command) {
      drawText(to, "command", "> " + command.text());
    } else if (event instanceof TimelineEvent.PacketSent packet) {
      drawPacket(to, packet);
    } else if (event instanceof TimelineEvent.Arrived arrived) {
      drawArrival(to, arrived);
    } else if (event instanceof TimelineEvent.Timer timer) {
      drawTimer(to, timer);
    } else if (event instanceof TimelineEvent.StateChange change) {
      drawState(to, change);
    } else if (event instanceof TimelineEvent.Failure failure) {
      drawText(to, "note failed", StepList.STOPS + failure.text());
    } else if (event instanceof TimelineEvent.Note note) {
      drawText(to, noteClass(note.text()), note.text());
    } else if (event instanceof TimelineEvent.Change change) {
      drawChange(to, change);
    } else if (event instanceof TimelineEvent.MemoryWritten written) {
      drawWrapped(
          to, isShort ? "done" : "change", written.text(), x(written.name()), CHANGE_COLUMNS);
    } else if (event instanceof TimelineEvent.MemoryRead read) {
      drawWrapped(to, "change", read.text(), x(read.name()), CHANGE_COLUMNS);
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
    for (String line : XmlWriter.wrapped(text, layout.columns(layout.charWidth))) {
      y += LINE_HEIGHT;
      double width = line.length() * layout.charWidth + 12;
      drawPaper(to, layout.left - 6, y - 12, width, LINE_HEIGHT);
      to.element("text", line, "class", kind, "x", at(layout.left), "y", at(y));
    }
    y += 4;
  }

  private static void drawPaper(XmlWriter to, double x, int top, double width, int height) {
    String[] place = {
      "class", "paper",
      "x", XmlWriter.at(x),
      "y", at(top),
      "width", XmlWriter.at(width),
      "height", at(height)
    };
    to.open("rect", place).close("rect");
  }

  /** Draws a label at the line of the sender, and below it the start of an arrow. */
  private void drawPacket(XmlWriter to, TimelineEvent.PacketSent packet) {
    LadderLine line = packet.line();
    double from = x(line.source());
    double end = x(line.destination());
    String again = packet.sent().retransmission();
    drawTime(to, line.time(), 15);
    drawLabel(to, "opcode", label(line) + (again.isEmpty() ? "" : ", " + again), line);
    if (!isShort) {
      drawLabel(to, "fields", line.details(), line);
    }
    y += ARROW_HEIGHT;
    arrows.sent(packet, new PacketArrows.Place(moment, from, y - 4), end);
    if (line.isLost()) {
      y += LOST_HEIGHT;
    }
    if (!line.fault().isEmpty() && !isShort) {
      y -= 4;
      drawWrapped(to, "fault", line.fault(), (from + end) / 2, CHANGE_COLUMNS);
      y += 4;
    }
  }

  /** Draws a label beside the line of the sender, in the direction of the packet. */
  private void drawLabel(XmlWriter to, String kind, String text, LadderLine packet) {
    boolean isOpcode = kind.equals("opcode");
    boolean isToTheRight = x(packet.destination()) >= x(packet.source());
    double letter = isOpcode ? layout.charWidth : layout.smallCharWidth;
    for (String line : XmlWriter.wrapped(text, layout.columns(letter))) {
      y += isOpcode ? OPCODE_HEIGHT : SMALL_LINE_HEIGHT;
      double half = line.length() * letter / 2;
      double centre = x(packet.source()) + (isToTheRight ? half + LABEL_GAP : -half - LABEL_GAP);
      drawCentred(to, kind, line, centre, letter);
    }
  }

  /** Opcode, and the addresses if they are not the first ones of the devices. */
  private String label(LadderLine packet) {
    if (isShort) {
      return packet.gist();
    }
    boolean isUsual = !(packet.source() + packet.destination()).contains(".");
    String way = packet.source() + " \u2192 " + packet.destination();
    return isUsual ? packet.kind() : packet.kind() + ", " + way;
  }

  /** Draws the end of an arrow; for a dropped packet a cross, with the reason below. */
  private void drawArrival(XmlWriter to, TimelineEvent.Arrived arrived) {
    ArrivedPacket packet = arrived.packet();
    double centre = x(packet.host());
    boolean isDropped = !packet.dropReason().isEmpty();
    drawTime(to, arrived.time(), 13);
    arrows.arrived(packet.number(), new PacketArrows.Place(moment, centre, y + 9), isDropped);
    y += ARRIVAL_HEIGHT;
    if (isDropped && !isShort) {
      String text = packet.packet() + " dropped: " + packet.dropReason();
      drawWrapped(to, "fault", text, centre, REASON_COLUMNS);
      y += 4;
    }
  }

  private void drawTimer(XmlWriter to, TimelineEvent.Timer timer) {
    drawTime(to, timer.time(), 15);
    String text = timer.name() + ": " + timer.text();
    if (isShort) {
      text = text.replaceFirst(", .*", "");
    }
    drawWrapped(to, "timer", text, x(timer.name()), CHANGE_COLUMNS);
    y += 6;
  }

  /** Draws wrapped text around a position, inside of the diagram. */
  private void drawWrapped(XmlWriter to, String kind, String text, double centre, int mostColumns) {
    int columns = Math.min(mostColumns, layout.columns(layout.smallCharWidth));
    for (String line : XmlWriter.wrapped(text, columns)) {
      y += SMALL_LINE_HEIGHT;
      drawCentred(to, kind, line, centre, layout.smallCharWidth);
    }
  }

  private void drawCentred(
      XmlWriter to, String kind, String text, double centre, double letterWidth) {
    double half = text.length() * letterWidth / 2;
    double x = layout.inside(centre, half);
    drawPaper(to, x - half - 4, y - 11, 2 * half + 8, SMALL_LINE_HEIGHT + 1);
    to.element("text", text, "class", kind, "x", XmlWriter.at(x), "y", at(y));
  }

  private void drawState(XmlWriter to, TimelineEvent.StateChange change) {
    String text = change.name() + ": " + change.from() + " \u2192 " + change.to();
    double width = text.length() * layout.charWidth + 20.0;
    double centre = layout.inside(x(change.name()), width / 2);
    drawTime(to, change.time(), 19);
    String[] pill = {
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
      "11"
    };
    to.open("rect", pill).close("rect");
    to.element("text", text, "class", "state", "x", XmlWriter.at(centre), "y", at(y + 19));
    y += PILL_HEIGHT;
  }

  private void drawChange(XmlWriter to, TimelineEvent.Change change) {
    String text = change.name() + (change.isFlush() ? " flushed: " : " ") + change.text();
    String kind = change.isFlush() ? "change flush" : "change";
    if (isShort) {
      y += PACKET_GAP;
      text = change.text().replace("completions +", "completion:");
      kind = text.endsWith("SUCCESS") ? "done" : "done failed";
    }
    drawWrapped(to, kind, text, x(change.name()), CHANGE_COLUMNS);
  }

  /** Draws a time below the last element: in the column of times, or on a line of its own. */
  private void drawTime(XmlWriter to, String time, int below) {
    String text = time + " \u00b5s";
    if (isShort) {
      return;
    }
    if (layout.hasTimeColumn()) {
      String x = at(layout.timeRight());
      to.element("text", text, "class", "time", "x", x, "y", at(y + below));
    } else if (!time.equals(lastTime)) {
      y += SMALL_LINE_HEIGHT;
      double width = text.length() * layout.smallCharWidth + 6;
      drawPaper(to, layout.left - 3, y - 11, width, SMALL_LINE_HEIGHT + 1);
      to.element("text", text, "class", "time", "x", at(layout.left), "y", at(y));
    }
    lastTime = time;
  }

  private static String at(int coordinate) {
    return String.valueOf(coordinate);
  }

  /** Horizontal position of a device's line; another host is in the middle. */
  private double x(String host) {
    int column = hosts.indexOf(Statements.device(host));
    return column < 0 ? layout.line(0, 1) : layout.line(column, hosts.size());
  }

  private String complete() {
    XmlWriter svg = new XmlWriter();
    String[] root = {
      "xmlns",
      "http://www.w3.org/2000/svg",
      "class",
      "run " + layout.className(),
      "viewBox",
      "0 0 " + layout.width + " " + (y + 10),
      "aria-hidden",
      "true"
    };
    svg.open("svg", root);
    for (String host : hosts) {
      String x = XmlWriter.at(x(host));
      svg.open("line", "class", "life", "x1", x, "y1", "0", "x2", x, "y2", String.valueOf(y + 6))
          .close("line");
    }
    svg.newLine().append(bands).append(isShort ? arrows.drawn() : arrows.drawnUpTo(at(y + 10)));
    return svg.append(rows).close("svg").toString();
  }
}

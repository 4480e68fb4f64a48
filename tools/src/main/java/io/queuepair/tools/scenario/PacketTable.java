// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.TracedPacket;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** HTML table of the bytes of a packet: headers with their fields, then payload and ICRC. */
final class PacketTable {
  private static final int BYTES_PER_LINE = 16;
  private static final int HEX_PER_LINE = 2 * BYTES_PER_LINE;
  private static final List<String> HEADS = List.of("byte", "hex", "field", "value");
  private static final String COLUMNS = String.valueOf(HEADS.size());
  private static final Set<String> NUMBERS =
      Set.of(
          "DestQP",
          "PSN",
          "MSN",
          "source QP",
          "DMA length",
          "XRC SRQ",
          "total length",
          "TTL",
          "protocol",
          "source port",
          "destination port",
          "length",
          "starting psn",
          "responder resources",
          "initiator depth",
          "primary hop limit");
  private static final Pattern ADDRESS = Pattern.compile("(?:source|destination) address");
  private static final Pattern SYNDROME =
      Pattern.compile("(?:ACK|RNR NAK|NAK|reserved syndrome).*?(?= msn=)");

  private static final PacketLayout LAYOUT = new PacketLayout();

  /** Fields of headers in the packets so far, by header. */
  private final Map<String, List<PacketLayout.Field>> met = new LinkedHashMap<>();

  /** Collapsible element with the table of a packet. */
  XmlWriter of(TimelineEvent.PacketSent packet) {
    TracedPacket traced = packet.sent().traced();
    String name = packet.line().name();
    String number = String.valueOf(packet.sent().number());
    String label = "bytes of " + name;
    XmlWriter table = new XmlWriter();
    table.open("details", "class", "packet", "data-packet", number);
    table.element("summary", "the " + traced.lengthBytes() + " bytes of " + name).newLine();
    table.open("div", "class", "wide", "tabindex", "0", "role", "group", "aria-label", label);
    table.open("table").newLine();
    List<PacketLayout.Header> headers = traced.isFrame() ? List.of() : LAYOUT.headers(traced.hex());
    if (!headers.isEmpty()) {
      table.open("tr");
      HEADS.forEach(head -> table.element("th", head, "scope", "col"));
      table.close("tr").newLine();
    }
    for (PacketLayout.Header header : headers) {
      met.put(header.name(), header.fields());
      add(table, header, packet);
    }
    addData(table, traced, headers.stream().mapToInt(PacketLayout.Header::length).sum());
    return table.close("table").close("div").close("details").newLine();
  }

  /** Table that explains the fields of all headers in the packets so far. */
  XmlWriter fields() {
    XmlWriter table = new XmlWriter();
    met.forEach(
        (header, fields) -> {
          for (PacketLayout.Field field : fields) {
            table.open("tr").element("td", header).element("td", field.name());
            table.element("td", field.what()).close("tr").newLine();
          }
        });
    return table;
  }

  private static void addHead(XmlWriter to, String name, int from, int end) {
    String text = name + ", bytes " + from + " to " + (end - 1);
    to.open("tr", "class", "header", "data-header", name);
    to.element("th", text, "colspan", COLUMNS, "scope", "rowgroup").close("tr").newLine();
  }

  private static void add(
      XmlWriter to, PacketLayout.Header header, TimelineEvent.PacketSent packet) {
    int end = header.at() + header.length();
    String hex = packet.sent().traced().hex().substring(2 * header.at(), 2 * end);
    addHead(to, header.name(), header.at(), end);
    for (PacketLayout.Field field : header.fields()) {
      to.open("tr").element("td", field.place());
      to.open("td").element("code", spaced(field.hexIn(hex))).close("td");
      to.element("td", field.name());
      to.element("td", value(field, field.in(hex), packet.line())).close("tr").newLine();
    }
  }

  /** Value of a field, as words if it has a name. */
  static String value(PacketLayout.Field field, BigInteger value, LadderLine line) {
    Matcher syndrome = SYNDROME.matcher(line.fields());
    if (field.name().equals("syndrome") && syndrome.find()) {
      return syndrome.group();
    }
    if (field.name().equals("opcode")) {
      return line.opcode();
    }
    if (field.bits() == Integer.SIZE && ADDRESS.matcher(field.name()).matches()) {
      int address = value.intValue();
      return IntStream.of(24, 16, 8, 0)
          .mapToObj(shift -> String.valueOf(address >> shift & 0xff))
          .collect(Collectors.joining("."));
    }
    boolean isNumber = NUMBERS.contains(field.name()) || field.bits() < Byte.SIZE;
    return isNumber ? value.toString() : "0x" + value.toString(16);
  }

  /** Adds the recorded part of the payload, and the ICRC. */
  private static void addData(XmlWriter to, TracedPacket traced, int at) {
    int end = traced.lengthBytes() - traced.icrcHex().length() / 2;
    if (end > at) {
      addHead(to, traced.isFrame() ? "frame" : "data and padding", at, end);
      String hex = traced.hex().substring(2 * at, 2 * Math.min(end, TracedPacket.MOST_BYTES));
      for (int i = 0; i < hex.length(); i += HEX_PER_LINE) {
        addBytes(to, hex.substring(i, Math.min(hex.length(), i + HEX_PER_LINE)));
      }
      int more = end - at - hex.length() / 2;
      if (more > 0) {
        addLine(to, "and " + more + " bytes more");
      }
    }
    if (!traced.isFrame()) {
      addHead(to, "ICRC", end, traced.lengthBytes());
      addBytes(to, traced.icrcHex());
    }
  }

  private static void addBytes(XmlWriter to, String hex) {
    byte[] bytes = HexFormat.of().parseHex(hex);
    String text = new String(bytes, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
    addLine(to, spaced(hex) + "  " + text);
  }

  private static void addLine(XmlWriter to, String text) {
    to.open("tr").open("td", "colspan", COLUMNS).element("code", text);
    to.close("td").close("tr").newLine();
  }

  static String spaced(String hex) {
    return hex.replaceAll("(..)(?=.)", "$1 ");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.PcapngCapture;
import io.queuepair.emulator.observe.TracedPacket;
import io.queuepair.tools.scenario.PacketLayout.Field;
import io.queuepair.tools.scenario.PacketLayout.Header;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** HTML that explains each byte of the frames and packets of a run. */
public final class ExplainedFrames {
  /** Type of the pcapng block that contains a frame. */
  private static final int ENHANCED_PACKET = 6;

  private static final int CAPTURED_LENGTH_AT = 20;
  private static final int FRAME_AT = 28;

  /** Offset of the BTH in a frame, after Ethernet, IPv4 and UDP. */
  private static final int BASE_AT = 14 + 20 + 8;

  private static final PacketLayout LAYOUT = new PacketLayout();

  private static final int ICRC_DIGITS = 2 * Integer.BYTES;

  /** Bytes up to the ICRC, in hexadecimal; of a long packet only the first ones. */
  private final String hex;

  private final TimelineEvent.PacketSent packet;
  private final XmlWriter dump = new XmlWriter();
  private final XmlWriter rows = new XmlWriter();
  private int units;

  private ExplainedFrames(String hex, TimelineEvent.PacketSent packet) {
    this.hex = hex;
    this.packet = packet;
  }

  /** Explains a packet from its BTH on, without the headers of lower layers. */
  static String of(TimelineEvent.PacketSent packet) {
    TracedPacket traced = packet.sent().traced();
    int end = 2 * traced.lengthBytes() - ICRC_DIGITS;
    String kept = traced.hex().substring(0, Math.min(end, traced.hex().length()));
    return new ExplainedFrames(kept, packet)
        .explained(LAYOUT.headers(kept), 0, end / 2, traced.icrcHex());
  }

  /** Runs a scenario and returns HTML for each frame, in order. */
  public static List<String> of(String name, List<String> lines) {
    List<TimelineStep> steps = new ArrayList<>();
    ScenarioFile file = ScenarioFile.of(Path.of(name), lines);
    List<String> frames;
    try {
      Path capture = Files.createTempFile("frames", ".pcapng");
      try {
        ScenarioRun.of(file, steps::add, fabric -> PcapngCapture.to(capture, fabric)).orThrow();
        frames = frames(Files.readAllBytes(capture));
      } finally {
        Files.delete(capture);
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    List<TimelineEvent.PacketSent> packets =
        steps.stream()
            .flatMap(step -> StepEvents.of(step, List.of()).stream())
            .filter(TimelineEvent.PacketSent.class::isInstance)
            .map(TimelineEvent.PacketSent.class::cast)
            .toList();
    List<String> explained = new ArrayList<>();
    for (int i = 0; i < packets.size(); i++) {
      String frame = frames.get(i);
      List<Header> headers = LAYOUT.headersOfFrame(frame);
      int icrcAt = frame.length() - ICRC_DIGITS;
      explained.add(
          new ExplainedFrames(frame.substring(0, icrcAt), packets.get(i))
              .explained(headers, BASE_AT, icrcAt / 2, frame.substring(icrcAt)));
    }
    return explained;
  }

  private static List<String> frames(byte[] file) {
    ByteBuffer capture = ByteBuffer.wrap(file);
    List<String> frames = new ArrayList<>();
    int at = 0;
    while (at < capture.limit()) {
      if (capture.getInt(at) == ENHANCED_PACKET) {
        int end = at + FRAME_AT + capture.getInt(at + CAPTURED_LENGTH_AT);
        frames.add(HexFormat.of().formatHex(file, at + FRAME_AT, end));
      }
      at += capture.getInt(at + Integer.BYTES);
    }
    return frames;
  }

  private String explained(List<Header> headers, int baseAt, int icrcAt, String icrc) {
    int at = 0;
    for (Header header : headers) {
      at = header.at() + header.length();
      add(header);
    }
    int flagsAt = 2 * (baseAt + 1);
    int padding = Integer.parseInt(hex.substring(flagsAt, flagsAt + 2), 16) >> 4 & 3;
    String data = "what the program sends; in a message of the connection manager its private data";
    add("data", at, icrcAt - padding, data);
    add("padding", icrcAt - padding, icrcAt, "up to a multiple of 4 bytes");
    add(
        "ICRC",
        icrc,
        icrc.length() / 2,
        "a checksum of all that no router changes, from the IP header on");
    XmlWriter all = new XmlWriter();
    all.open("div", "class", "bytes").newLine();
    all.open("div", "class", "dump").newLine().append(dump).close("div").newLine();
    all.open("div", "class", "pointed", "hidden", "hidden").close("div").newLine();
    all.open("details").element("summary", "The fields of these bytes").newLine();
    all.open("table", "tabindex", "0").open("tr");
    for (String head : List.of("part", "bytes", "field", "value", "what it is")) {
      all.element("th", head, "scope", "col");
    }
    all.close("tr").newLine().append(rows).close("table").close("details").close("div");
    return all.newLine().toString();
  }

  /** Adds the bytes of a header, grouped so that fields which share a byte are together. */
  private void add(Header header) {
    String own = hex.substring(2 * header.at(), 2 * (header.at() + header.length()));
    open(header.name());
    int end = 0;
    for (Field field : header.fields()) {
      int first = field.firstBit() / Byte.SIZE;
      int last = (field.firstBit() + field.bits() - 1) / Byte.SIZE;
      if (first >= end) {
        end = lastOfUnit(header, first, last) + 1;
        addUnit(own.substring(2 * first, 2 * end), "");
      }
      String value = PacketTable.value(field, field.in(own), packet.line());
      boolean isAsItStands = value.startsWith("0x") && field.bits() % Byte.SIZE == 0;
      String shown = isAsItStands ? "" : value;
      addRow(header.name(), field.hexIn(own), field.name(), shown, field.what());
    }
    dump.close("code").close("div").newLine();
  }

  private static int lastOfUnit(Header header, int first, int last) {
    int end = last;
    for (Field field : header.fields()) {
      int begin = field.firstBit() / Byte.SIZE;
      if (begin >= first && begin <= end) {
        end = Math.max(end, (field.firstBit() + field.bits() - 1) / Byte.SIZE);
      }
    }
    return end;
  }

  private void add(String name, int from, int end, String what) {
    int keptEnd = Math.min(end, hex.length() / 2);
    if (keptEnd > from) {
      add(name, hex.substring(2 * from, 2 * keptEnd), end - from, what);
    }
  }

  private void add(String name, String own, int lengthBytes, String what) {
    open(name);
    String more = own.length() < 2 * lengthBytes ? " \u2026" : "";
    addUnit(own, more);
    boolean isEmpty = own.matches("0*");
    String shown = isEmpty ? "00 \u2026" : own + more;
    addRow(name, shown, lengthBytes + " bytes", isEmpty ? "0" : "", what);
    dump.close("code").close("div").newLine();
  }

  private void open(String name) {
    dump.open("div", "class", "layer").element("b", name).open("code");
  }

  private void addUnit(String own, String more) {
    units++;
    String shown = PacketTable.spaced(own) + more;
    dump.element("i", shown, "data-unit", String.valueOf(units)).markup(" ");
  }

  private void addRow(String part, String own, String name, String value, String what) {
    rows.open("tr", "data-unit", String.valueOf(units)).element("td", part);
    rows.open("td").element("code", PacketTable.spaced(own)).close("td").element("td", name);
    rows.element("td", value).element("td", what).close("tr").newLine();
  }
}

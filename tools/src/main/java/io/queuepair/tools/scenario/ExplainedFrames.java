// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.emulator.observe.PcapngCapture;
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

/** Each byte of the frames that a run puts into a capture, with what it means. */
public final class ExplainedFrames {
  /** The type of a block of a pcapng file that holds a frame. */
  private static final int ENHANCED_PACKET = 6;

  private static final int CAPTURED_LENGTH_AT = 20;
  private static final int FRAME_AT = 28;
  private static final PacketLayout LAYOUT = new PacketLayout();

  private final String hex;
  private final TimelineEvent.PacketSent packet;
  private final XmlWriter dump = new XmlWriter();
  private final XmlWriter rows = new XmlWriter();
  private int units;

  private ExplainedFrames(String hex, TimelineEvent.PacketSent packet) {
    this.hex = hex;
    this.packet = packet;
  }

  /** Runs a scenario and gives markup for each frame, in their order. */
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
      explained.add(new ExplainedFrames(frames.get(i), packets.get(i)).explained());
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

  private String explained() {
    int at = 0;
    for (Header header : LAYOUT.headersOfFrame(hex)) {
      at = header.at() + header.length();
      add(header);
    }
    int icrcAt = hex.length() / 2 - Integer.BYTES;
    int padding = Integer.parseInt(hex.substring(86, 88), 16) >> 4 & 3;
    add(
        "data",
        at,
        icrcAt - padding,
        "what the program sends; in a message of the connection manager its private data");
    add("padding", icrcAt - padding, icrcAt, "up to a multiple of 4 bytes");
    add(
        "ICRC",
        icrcAt,
        icrcAt + Integer.BYTES,
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

  /** The bytes of a header, in units: fields that share a byte are one. */
  private void add(Header header) {
    String own = hex.substring(2 * header.at(), 2 * (header.at() + header.length()));
    open(header.name());
    int end = 0;
    for (Field field : header.fields()) {
      int first = field.firstBit() / Byte.SIZE;
      int last = (field.firstBit() + field.bits() - 1) / Byte.SIZE;
      if (first >= end) {
        end = lastOfUnit(header, first, last) + 1;
        addUnit(own.substring(2 * first, 2 * end));
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
    if (end > from) {
      String own = hex.substring(2 * from, 2 * end);
      open(name);
      addUnit(own);
      boolean isEmpty = own.matches("0*");
      addRow(name, isEmpty ? "00 \u2026" : own, (end - from) + " bytes", isEmpty ? "0" : "", what);
      dump.close("code").close("div").newLine();
    }
  }

  private void open(String name) {
    dump.open("div", "class", "layer").element("b", name).open("code");
  }

  private void addUnit(String own) {
    units++;
    dump.element("i", PacketTable.spaced(own), "data-unit", String.valueOf(units)).markup(" ");
  }

  private void addRow(String part, String own, String name, String value, String what) {
    rows.open("tr", "data-unit", String.valueOf(units)).element("td", part);
    rows.open("td").element("code", PacketTable.spaced(own)).close("td").element("td", name);
    rows.element("td", value).element("td", what).close("tr").newLine();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.scenario;

import io.queuepair.tools.project.MarkdownTable;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Positions of header fields, from tables of the documentation. */
final class PacketLayout {
  private static final String HEADERS = "docs/reference/headers.md";
  private static final String FRAMES = "docs/reference/frames.md";
  private static final String OPCODES = "docs/reference/opcodes.md";
  private static final String BASE = "BTH";
  private static final int HEADERS_COLUMN = 6;

  /** Offset of the attribute ID in the header of a management datagram. */
  private static final int ATTRIBUTE_ID = 16;

  private static final Map<Integer, List<String>> MESSAGES =
      Map.of(
          0x10, List.of("MAD", "REQ", "CMA"),
          0x13, List.of("MAD", "REP"),
          0x14, List.of("MAD", "RTU"),
          0x15, List.of("MAD", "DREQ"),
          0x16, List.of("MAD", "DREP"));

  /** First byte of a field, with its first bit if that is not bit 7. */
  private static final Pattern BEGIN = Pattern.compile("([0-9]+)(?:, bits? ([0-7]).*)?.*");

  /** Names of the headers for each opcode byte. */
  private final Map<Integer, List<String>> opcodes = new LinkedHashMap<>();

  private final Map<String, List<Field>> fields = new LinkedHashMap<>();
  private final Map<String, Integer> lengths = new LinkedHashMap<>();

  PacketLayout() {
    for (List<String> row : MarkdownTable.rows(OPCODES, "opcode", "byte")) {
      List<String> headers = new ArrayList<>(List.of(BASE));
      if (!row.get(HEADERS_COLUMN).equals("-")) {
        String more = MarkdownTable.plain(row.get(HEADERS_COLUMN));
        headers.addAll(List.of(more.split(", ", -1)));
      }
      opcodes.put(Integer.decode(row.get(1)), headers);
    }
    for (String page : List.of(HEADERS, FRAMES)) {
      for (List<String> row : MarkdownTable.rows(page, "header", "bytes")) {
        lengths.put(MarkdownTable.plain(row.get(0)), Integer.parseInt(row.get(1)));
      }
      for (List<String> row : MarkdownTable.rows(page, "header", "byte")) {
        fields
            .computeIfAbsent(MarkdownTable.plain(row.get(0)), absent -> new ArrayList<>())
            .add(Field.of(row));
      }
    }
  }

  /**
   * Field of a header.
   *
   * @param place position in words
   * @param firstBit offset in bits from the start of the header
   */
  record Field(String name, String place, int firstBit, int bits, String what) {
    static Field of(List<String> row) {
      Matcher begin = BEGIN.matcher(row.get(1));
      if (!begin.matches()) {
        throw new IllegalStateException(row + ": no byte");
      }
      int highest = begin.group(2) == null ? 7 : Integer.parseInt(begin.group(2));
      int firstBit = Integer.parseInt(begin.group(1)) * Byte.SIZE + 7 - highest;
      return new Field(row.get(3), row.get(1), firstBit, Integer.parseInt(row.get(2)), row.get(4));
    }

    /** Value of the field in a header. */
    BigInteger in(String headerHex) {
      int end = headerHex.length() * 4 - firstBit - bits;
      BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
      return new BigInteger(headerHex, 16).shiftRight(end).and(mask);
    }

    /** Bytes of a header that contain the field. */
    String hexIn(String headerHex) {
      int from = firstBit / Byte.SIZE * 2;
      int to = (firstBit + bits + Byte.SIZE - 1) / Byte.SIZE * 2;
      return headerHex.substring(from, to);
    }
  }

  /**
   * Header in a packet.
   *
   * @param at offset of its first byte
   */
  record Header(String name, int at, int length, List<Field> fields) {}

  /** Headers of a packet, in order; empty if its opcode is unknown. */
  List<Header> headers(String hex) {
    if (hex.length() < 2) {
      return List.of();
    }
    int opcode = Integer.parseInt(hex.substring(0, 2), 16);
    List<Header> headers = new ArrayList<>();
    int end = add(headers, 0, opcodes.getOrDefault(opcode, List.of()));
    return end * 2 <= hex.length() ? headers : List.of();
  }

  private int add(List<Header> to, int from, List<String> names) {
    int at = from;
    for (String name : names) {
      to.add(new Header(name, at, lengths.get(name), fields.get(name)));
      at += lengths.get(name);
    }
    return at;
  }

  /** Headers of a frame over IPv4, including those of a connection manager message. */
  List<Header> headersOfFrame(String hex) {
    List<Header> headers = new ArrayList<>();
    int packet = add(headers, 0, List.of("Ethernet", "IPv4", "UDP"));
    int opcode = Integer.parseInt(hex.substring(2 * packet, 2 * packet + 2), 16);
    List<String> names = opcodes.get(opcode);
    int data = add(headers, packet, names);
    if (names.contains("DETH")) {
      int attributeAt = 2 * (data + ATTRIBUTE_ID);
      int attribute = Integer.parseInt(hex.substring(attributeAt, attributeAt + 4), 16);
      add(headers, data, MESSAGES.get(attribute));
    }
    return headers;
  }
}

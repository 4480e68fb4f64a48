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

/** Where the fields of headers are: from the tables of the documentation. */
final class PacketLayout {
  private static final String HEADERS = "docs/reference/headers.md";
  private static final String OPCODES = "docs/reference/opcodes.md";
  private static final String BASE = "BTH";
  private static final int HEADERS_COLUMN = 6;

  /** The first byte of a field, and its first bit if that is not bit 7. */
  private static final Pattern BEGIN = Pattern.compile("([0-9]+)(?:, bits? ([0-7]).*)?.*");

  /** Headers of each opcode, by its byte. */
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
    for (List<String> row : MarkdownTable.rows(HEADERS, "header", "bytes")) {
      lengths.put(MarkdownTable.plain(row.get(0)), Integer.parseInt(row.get(1)));
    }
    for (List<String> row : MarkdownTable.rows(HEADERS, "header", "byte")) {
      fields
          .computeIfAbsent(MarkdownTable.plain(row.get(0)), absent -> new ArrayList<>())
          .add(Field.of(row));
    }
  }

  /**
   * A field of a header.
   *
   * @param place where it is, in words
   * @param firstBit counted from the start of the header
   * @param what it is
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

    /** Its value in a header. */
    BigInteger in(String headerHex) {
      int end = headerHex.length() * 4 - firstBit - bits;
      BigInteger mask = BigInteger.ONE.shiftLeft(bits).subtract(BigInteger.ONE);
      return new BigInteger(headerHex, 16).shiftRight(end).and(mask);
    }

    /** The bytes that it is a part of. */
    String hexIn(String headerHex) {
      int from = firstBit / Byte.SIZE * 2;
      int to = (firstBit + bits + Byte.SIZE - 1) / Byte.SIZE * 2;
      return headerHex.substring(from, to);
    }
  }

  /**
   * A header of a packet.
   *
   * @param at its first byte
   */
  record Header(String name, int at, int length, List<Field> fields) {}

  /** The headers of a packet, in order; none if its opcode is not known. */
  List<Header> headers(String hex) {
    if (hex.length() < 2) {
      return List.of();
    }
    int opcode = Integer.parseInt(hex.substring(0, 2), 16);
    List<Header> headers = new ArrayList<>();
    int at = 0;
    for (String name : opcodes.getOrDefault(opcode, List.of())) {
      headers.add(new Header(name, at, lengths.get(name), fields.get(name)));
      at += lengths.get(name);
    }
    return at * 2 <= hex.length() ? headers : List.of();
  }
}

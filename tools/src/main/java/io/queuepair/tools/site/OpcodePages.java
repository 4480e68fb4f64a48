// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.project.MarkdownTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Pages on packet opcodes, headers and parts of a frame, one for each. */
final class OpcodePages {
  private static final String BTH = "BTH";
  private static final List<String> TABLES =
      List.of("docs/reference/headers.md", "docs/reference/frames.md");

  private final ScenarioIndex scenarios;
  private final List<Opcode> opcodes = new ArrayList<>();

  /** Rows with bytes and text of each header, by name. */
  private final Map<String, List<String>> headers = new LinkedHashMap<>();

  OpcodePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (List<String> row : MarkdownTable.rows("docs/reference/opcodes.md", "opcode", "byte")) {
      opcodes.add(Opcode.of(row));
    }
    rows("bytes").forEach(row -> headers.put(name(row), row.subList(1, row.size())));
  }

  private static Stream<List<String>> rows(String secondColumn) {
    return TABLES.stream()
        .flatMap(table -> MarkdownTable.rows(table, "header", secondColumn).stream());
  }

  private static String name(List<String> row) {
    return MarkdownTable.plain(row.get(0));
  }

  /** Row of the table of opcodes. */
  private record Opcode(
      String name,
      String code,
      String service,
      String operation,
      String position,
      String role,
      List<String> headers,
      String data) {
    static Opcode of(List<String> row) {
      List<String> headers = new ArrayList<>(List.of(BTH));
      if (!row.get(6).equals("-")) {
        headers.addAll(List.of(MarkdownTable.plain(row.get(6)).split(", ", -1)));
      }
      return new Opcode(
          MarkdownTable.plain(row.get(0)),
          row.get(1),
          row.get(2),
          row.get(3),
          row.get(4),
          row.get(5),
          headers,
          row.get(8));
    }

    String link() {
      return PageText.link("opcodes", name);
    }
  }

  List<PageText> opcodes() {
    PageText index =
        PageText.index("opcodes")
            .add("# Opcodes")
            .add("Every opcode of the base transport header, which begins a packet.")
            .head("opcode", "byte", "role", "headers", "data", "scenarios");
    List<PageText> pages = new ArrayList<>(List.of(index));
    for (Opcode opcode : opcodes) {
      pages.add(page(opcode));
      int shown = scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name()).size();
      String headers = String.join(", ", opcode.headers().stream().map(OpcodePages::link).toList());
      index.row(opcode.link(), opcode.code(), opcode.role(), headers, opcode.data(), shown);
    }
    return pages;
  }

  private PageText page(Opcode opcode) {
    PageText page =
        PageText.of("opcodes", opcode.name())
            .add("# ", opcode.name())
            .add(
                "Opcode " + opcode.code() + " of service " + opcode.service() + ": the ",
                opcode.position() + " packet of " + opcode.operation() + ". Role: ",
                opcode.role() + ". Data: " + opcode.data() + ".")
            .add("## Bytes\n\nThe payload of the UDP datagram:")
            .head("bytes", "part", "what it is");
    int at = 0;
    for (String header : opcode.headers()) {
      int end = at + Integer.parseInt(headers.get(header).get(0));
      page.row(at + "-" + (end - 1), link(header), headers.get(header).get(1));
      at = end;
    }
    page.row("from " + at, "data and padding", opcode.data());
    page.row("the last 4", "ICRC", "the check of the packet");
    List<String> covering = scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name());
    covering.stream().findFirst().ifPresent(source -> addPacket(page, opcode, source));
    String never = scenarios.neverReason(CoverageGroup.OPCODE_SENT, opcode.name());
    page.add("## Scenarios");
    page.add(
        never.isEmpty() ? scenarios.links(covering) : "This device never sends it: " + never + ".");
    return page.add("[All opcodes](README.md)");
  }

  /** Adds a packet of a run with each byte explained. */
  private void addPacket(PageText page, Opcode opcode, String source) {
    page.add("## A packet");
    page.add("Of the run of ", scenarios.link(source), ". Point at a byte, or use the arrow keys.");
    page.add(scenarios.run(source).explained(opcode.name()));
    page.add("<script src=\"../bytes.js\" defer></script>");
  }

  List<PageText> headers() {
    PageText index =
        PageText.index("headers")
            .add("# Headers")
            .add(
                "The base transport header, and the extension headers in the order in which they"
                    + " follow it; then the [parts of a frame](../reference/frames.md) around them,"
                    + " and the messages of the connection manager.")
            .head("header", "bytes", "what it is");
    List<PageText> pages = new ArrayList<>(List.of(index));
    headers.forEach(
        (name, facts) -> {
          pages.add(page(name, facts));
          index.row(link(name), facts.get(0), facts.get(1));
        });
    return pages;
  }

  private PageText page(String name, List<String> facts) {
    List<List<String>> fields =
        rows("byte")
            .filter(field -> name(field).equals(name))
            .map(field -> field.subList(1, field.size()))
            .toList();
    PageText page =
        PageText.of("headers", name)
            .add("# ", name)
            .add("A header of ", facts.get(0), " bytes: ", facts.get(1), ".")
            .add("## Bits\n\n", bitRows(fields))
            .add("## Fields")
            .head("byte", "bits", "field", "what it is");
    fields.forEach(field -> page.row(field.toArray()));
    String list =
        opcodes.stream()
            .filter(opcode -> opcode.headers().contains(name))
            .map(opcode -> "- " + opcode.link())
            .collect(Collectors.joining("\n"));
    if (!list.isEmpty()) {
      page.add("## Opcodes");
      page.add(
          name.equals(BTH)
              ? "Every packet begins with it: [all opcodes](../opcodes/README.md)."
              : list);
    }
    return page.add("[All headers](README.md)");
  }

  /** Diagram of fields in rows of 32 bits, as in RFCs; names and fields that are long are cut. */
  private static String bitRows(List<List<String>> fields) {
    String edge = "+-".repeat(Integer.SIZE) + "+\n";
    StringBuilder rows = new StringBuilder("```\n 0");
    rows.append(" ".repeat(19)).append('1').append(" ".repeat(19)).append('2');
    rows.append(" ".repeat(19)).append("3\n").append(" 0 1 2 3 4 5 6 7 8 9".repeat(3));
    rows.append(" 0 1\n").append(edge);
    int at = 0;
    for (List<String> field : fields) {
      String name = field.get(2);
      int shown = Math.min(Integer.parseInt(field.get(1)), 4 * Integer.SIZE);
      for (int left = shown; left > 0; name = "...") {
        int bits = Math.min(left, Integer.SIZE - at);
        int width = 2 * bits - 1;
        String initials = name.replaceAll("(\\w)\\w* ", "$1 ");
        String cut = name.length() > width && initials.length() <= width ? initials : name;
        cut = cut.substring(0, Math.min(width, cut.length()));
        String indent = " ".repeat((width - cut.length()) / 2);
        rows.append('|').append(String.format("%-" + width + "s", indent + cut));
        at = (at + bits) % Integer.SIZE;
        rows.append(at == 0 ? "|\n" + edge : "");
        left -= bits;
      }
    }
    return rows.append("```").toString();
  }

  private static String link(String header) {
    return PageText.link("headers", header);
  }
}

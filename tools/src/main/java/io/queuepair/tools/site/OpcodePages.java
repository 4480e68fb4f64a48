// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import static io.queuepair.tools.site.LookUpPage.head;
import static io.queuepair.tools.site.LookUpPage.row;

import io.queuepair.emulator.coverage.CoverageGroup;
import io.queuepair.tools.project.MarkdownTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page for each opcode of a packet, and one for each header. */
final class OpcodePages {
  private static final String BTH = "BTH";
  private static final String HEADERS = "docs/reference/headers.md";

  private final ScenarioIndex scenarios;
  private final List<Opcode> opcodes = new ArrayList<>();

  /** Bytes and text of each header, by name. */
  private final Map<String, List<String>> headers = new LinkedHashMap<>();

  OpcodePages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (List<String> row : MarkdownTable.rows("docs/reference/opcodes.md", "opcode", "byte")) {
      opcodes.add(Opcode.of(row));
    }
    for (List<String> row : MarkdownTable.rows(HEADERS, "header", "bytes")) {
      headers.put(MarkdownTable.plain(row.get(0)), row.subList(1, row.size()));
    }
  }

  /** A row of the table of opcodes. */
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

    String link(String folder) {
      return "[" + name + "](" + folder + name.toLowerCase(Locale.ROOT) + ".md)";
    }
  }

  List<LookUpPage> opcodes() {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder("# Opcodes\n\n");
    index.append("Every opcode of the base transport header, which begins a packet.\n\n");
    index.append(head("opcode", "byte", "role", "headers", "data", "scenarios"));
    for (Opcode opcode : opcodes) {
      pages.add(page(opcode));
      int shown = scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name()).size();
      String headers = String.join(", ", opcode.headers().stream().map(OpcodePages::link).toList());
      index.append(
          row(opcode.link(""), opcode.code(), opcode.role(), headers, opcode.data(), shown));
    }
    pages.add(LookUpPage.index("opcodes", index.toString()));
    return pages;
  }

  private LookUpPage page(Opcode opcode) {
    StringBuilder page = new StringBuilder("# " + opcode.name() + "\n\n");
    page.append("Opcode ").append(opcode.code()).append(" of service ").append(opcode.service());
    page.append(": operation ").append(opcode.operation()).append(", place in the message ");
    page.append(opcode.position()).append(", ").append(opcode.role()).append(". Data: ");
    page.append(opcode.data()).append(".\n\n## Bytes\n\n");
    page.append("What the payload of the UDP datagram consists of.\n\n");
    page.append(head("bytes", "part", "what it is"));
    int at = 0;
    for (String header : opcode.headers()) {
      int end = at + Integer.parseInt(headers.get(header).get(0));
      page.append(row(at + "-" + (end - 1), link(header), headers.get(header).get(1)));
      at = end;
    }
    page.append(row("from " + at, "data and padding", opcode.data()));
    page.append(row("the last 4", "ICRC", "the check of the packet"));
    String never = scenarios.neverReason(CoverageGroup.OPCODE_SENT, opcode.name());
    page.append("\n## Scenarios\n\n");
    page.append(
        never.isEmpty()
            ? scenarios.links(scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name()))
            : "This device never sends it: " + never + ".\n");
    page.append("\n[All opcodes](README.md)\n");
    return LookUpPage.of("opcodes", opcode.name(), page.toString());
  }

  List<LookUpPage> headers() {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder("# Headers\n\n");
    index.append("The base transport header, and the extension headers in the order in which they");
    index.append(" follow it.\n\n").append(head("header", "bytes", "what it is"));
    headers.forEach(
        (name, facts) -> {
          pages.add(page(name, facts));
          index.append(row(link(name), facts.get(0), facts.get(1)));
        });
    pages.add(LookUpPage.index("headers", index.toString()));
    return pages;
  }

  private LookUpPage page(String name, List<String> facts) {
    List<List<String>> fields =
        MarkdownTable.rows(HEADERS, "header", "byte").stream()
            .filter(field -> MarkdownTable.plain(field.get(0)).equals(name))
            .map(field -> field.subList(1, field.size()))
            .toList();
    StringBuilder page = new StringBuilder("# " + name + "\n\nA header of ");
    page.append(facts.get(0)).append(" bytes: ").append(facts.get(1)).append(".\n\n## Bits\n\n");
    page.append(bitRows(fields)).append("\n## Fields\n\n");
    page.append(head("byte", "bits", "field", "what it is"));
    fields.forEach(field -> page.append(row(field.toArray())));
    page.append("\n## Opcodes\n\n");
    if (name.equals(BTH)) {
      page.append("Every packet begins with it: [all opcodes](../opcodes/README.md).\n");
    } else {
      for (Opcode opcode : opcodes) {
        if (opcode.headers().contains(name)) {
          page.append("- ").append(opcode.link("../opcodes/")).append('\n');
        }
      }
    }
    page.append("\n[All headers](README.md)\n");
    return LookUpPage.of("headers", name, page.toString());
  }

  /** Fields in rows of 32 bits, as RFCs draw them; a name that does not fit is cut. */
  private static String bitRows(List<List<String>> fields) {
    String edge = "+-".repeat(Integer.SIZE) + "+\n";
    StringBuilder rows = new StringBuilder("```\n 0");
    rows.append(" ".repeat(19)).append('1').append(" ".repeat(19)).append('2');
    rows.append(" ".repeat(19)).append("3\n").append(" 0 1 2 3 4 5 6 7 8 9".repeat(3));
    rows.append(" 0 1\n").append(edge);
    int at = 0;
    for (List<String> field : fields) {
      String name = field.get(2);
      for (int left = Integer.parseInt(field.get(1)); left > 0; name = "...") {
        int bits = Math.min(left, Integer.SIZE - at);
        int width = 2 * bits - 1;
        String cut = name.substring(0, Math.min(width, name.length()));
        String indent = " ".repeat((width - cut.length()) / 2);
        rows.append('|').append(String.format("%-" + width + "s", indent + cut));
        at = (at + bits) % Integer.SIZE;
        rows.append(at == 0 ? "|\n" + edge : "");
        left -= bits;
      }
    }
    return rows.append("```\n").toString();
  }

  private static String link(String header) {
    return "[" + header + "](../headers/" + header.toLowerCase(Locale.ROOT) + ".md)";
  }
}

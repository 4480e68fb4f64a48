// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

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
    index.append(
        "| opcode | byte | role | headers | data | scenarios |\n|---|---|---|---|---|---|\n");
    for (Opcode opcode : opcodes) {
      pages.add(page(opcode));
      List<String> shown = scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name());
      index.append("| ").append(opcode.link("")).append(" | ").append(opcode.code());
      index.append(" | ").append(opcode.role()).append(" | ").append(links(opcode.headers()));
      index.append(" | ").append(opcode.data()).append(" | ").append(shown.size()).append(" |\n");
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
    page.append("| bytes | part | what it is |\n|---|---|---|\n");
    int at = 0;
    for (String header : opcode.headers()) {
      int length = Integer.parseInt(headers.get(header).get(0));
      page.append("| ").append(at).append('-').append(at + length - 1).append(" | ");
      page.append(link(header)).append(" | ").append(headers.get(header).get(1)).append(" |\n");
      at += length;
    }
    page.append("| from ").append(at).append(" | data and padding | ").append(opcode.data());
    page.append(" |\n| the last 4 | ICRC | the check of the packet |\n\n## Scenarios\n\n");
    page.append(shown(opcode)).append("\n[All opcodes](README.md)\n");
    return LookUpPage.of("opcodes", opcode.name(), page.toString());
  }

  private String shown(Opcode opcode) {
    String never = scenarios.neverReason(CoverageGroup.OPCODE_SENT, opcode.name());
    return never.isEmpty()
        ? scenarios.links(scenarios.covering(CoverageGroup.OPCODE_SENT, opcode.name()))
        : "This device never sends it: " + never + ".\n";
  }

  List<LookUpPage> headers() {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder("# Headers\n\n");
    index.append("The base transport header, and the extension headers in the order in which they");
    index.append(" follow it.\n\n| header | bytes | what it is |\n|---|---|---|\n");
    headers.forEach(
        (name, row) -> {
          pages.add(page(name, row));
          index.append("| ").append(link(name)).append(" | ").append(row.get(0)).append(" | ");
          index.append(row.get(1)).append(" |\n");
        });
    pages.add(LookUpPage.index("headers", index.toString()));
    return pages;
  }

  private LookUpPage page(String name, List<String> row) {
    StringBuilder page = new StringBuilder("# " + name + "\n\nA header of ");
    page.append(row.get(0)).append(" bytes: ").append(row.get(1)).append(".\n\n## Fields\n\n");
    page.append("| byte | bits | field | what it is |\n|---|---|---|---|\n");
    for (List<String> field : MarkdownTable.rows(HEADERS, "header", "byte")) {
      if (MarkdownTable.plain(field.get(0)).equals(name)) {
        page.append("| ").append(String.join(" | ", field.subList(1, field.size()))).append(" |\n");
      }
    }
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

  private static String links(List<String> names) {
    return String.join(", ", names.stream().map(OpcodePages::link).toList());
  }

  private static String link(String header) {
    return "[" + header + "](../headers/" + header.toLowerCase(Locale.ROOT) + ".md)";
  }
}

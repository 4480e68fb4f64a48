// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The pages that are made of tables and runs: one for each thing that can be looked up. */
final class LookUp {
  /** Pages of the reference that are cut into pages, and the folders of these. */
  static final Map<String, String> SECTIONS =
      Map.of(
          "docs/reference/naks.md",
          "naks",
          "docs/reference/rejects.md",
          "rejects",
          "docs/reference/log-lines.md",
          "logs",
          OutcomePages.STATUSES,
          "statuses",
          OutcomePages.EVENTS,
          "events");

  private LookUp() {}

  /** All of them, by path. */
  static Map<String, LookUpPage> pages(ScenarioIndex scenarios) {
    OutcomePages outcomes = new OutcomePages(scenarios);
    OpcodePages packets = new OpcodePages(scenarios);
    Map<String, LookUpPage> pages = new LinkedHashMap<>();
    SECTIONS.forEach((source, folder) -> add(pages, SectionPages.of(folder, source)));
    // These of statuses and events are completed by what runs show.
    add(pages, outcomes.statuses());
    add(pages, outcomes.events());
    add(pages, packets.opcodes());
    add(pages, packets.headers());
    add(pages, new VerbPages(scenarios).pages());
    AttributePages attributes = new AttributePages(scenarios);
    add(pages, attributes.pages());
    add(pages, new StatePages(scenarios).pages(attributes));
    add(pages, List.of(LookUpPage.index("lookup", ProjectFiles.read("lookup.md"))));
    return pages;
  }

  private static void add(Map<String, LookUpPage> pages, List<LookUpPage> more) {
    more.forEach(page -> pages.put(page.source(), page));
  }
}

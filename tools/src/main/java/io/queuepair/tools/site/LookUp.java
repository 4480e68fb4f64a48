// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.ProjectFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Generated reference pages, from tables and runs: one for each topic. */
final class LookUp {
  /** Reference pages that are split into one page for each section, with the folders of these. */
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

  /** Pages with the facts, for folders whose tables do not name them. */
  private static final Map<String, String> SOURCES =
      Map.of(
          "headers",
              "9.2 (BTH), 9.3 (extended headers), 12.6, 13.4.2 (messages); RFC 768, 791, 8200;"
                  + " `drivers/infiniband/sw/rxe/rxe_hdr.h`.",
          "opcodes", "9.2 (BTH); `include/rdma/ib_pack.h`.",
          "attributes", "10.3.1; `ibv_modify_qp(3)`; `drivers/infiniband/core/verbs.c`.",
          "states", "10.3.1; `ibv_modify_qp(3)`; `drivers/infiniband/core/verbs.c`.");

  private LookUp() {}

  /** Text of all generated reference pages, by path. */
  static Map<String, String> pages(ScenarioIndex scenarios) {
    OutcomePages outcomes = new OutcomePages(scenarios);
    OpcodePages packets = new OpcodePages(scenarios);
    AttributePages attributes = new AttributePages(scenarios);
    List<PageText> pages = new ArrayList<>();
    SECTIONS.forEach((source, folder) -> pages.addAll(SectionPages.of(folder, source)));
    // Runs of scenarios complete the pages of statuses and events.
    pages.addAll(outcomes.statuses());
    pages.addAll(outcomes.events());
    pages.addAll(packets.opcodes());
    pages.addAll(packets.headers());
    pages.addAll(new VerbPages(scenarios).pages());
    pages.addAll(attributes.pages());
    pages.addAll(new StatePages(scenarios).pages(attributes));
    pages.add(PageText.index("lookup").add(ProjectFiles.read("lookup.md")));
    Map<String, String> texts = new LinkedHashMap<>();
    for (PageText page : pages) {
      String sections = SOURCES.get(page.source().split("/", -1)[1]);
      if (sections != null) {
        String specification = "[IBTA vol. 1](https://www.infinibandta.org/ibta-specification/)";
        page.add("Sources: ", specification, ", ", sections);
      }
      texts.put(page.source(), page.toString());
    }
    return texts;
  }
}

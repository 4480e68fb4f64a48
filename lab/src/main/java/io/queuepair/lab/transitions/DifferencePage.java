// SPDX-License-Identifier: Apache-2.0
package io.queuepair.lab.transitions;

import io.queuepair.emulator.profile.Quirk;
import io.queuepair.tools.page.PageTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Page of documentation about differences between the default device and Linux Soft-RoCE. */
final class DifferencePage {
  private DifferencePage() {}

  static List<String> of(int cases, Map<DifferenceKind, Integer> countByKind) {
    Map<String, List<String>> parts =
        Map.of("differences", differences(cases, countByKind), "quirks", quirks());
    return PageTemplate.filled(DifferencePage.class, "modify-differences.md", parts);
  }

  private static List<String> differences(int cases, Map<DifferenceKind, Integer> countByKind) {
    int differ = countByKind.values().stream().mapToInt(Integer::intValue).sum();
    List<String> lines = new ArrayList<>();
    lines.add(cases + " calls, " + (cases - differ) + " agree, " + differ + " differ.");
    lines.addAll(List.of("", "| difference | calls | reason |", "|---|---|---|"));
    countByKind.forEach(
        (kind, count) ->
            lines.add("| " + kind.what() + " | " + count + " | " + kind.reason() + " |"));
    return lines;
  }

  private static List<String> quirks() {
    List<String> lines = new ArrayList<>(List.of("| quirk | what the device does |", "|---|---|"));
    for (Quirk quirk : Quirk.values()) {
      lines.add("| `" + quirk + "` | " + quirk.rule() + " |");
    }
    return lines;
  }
}

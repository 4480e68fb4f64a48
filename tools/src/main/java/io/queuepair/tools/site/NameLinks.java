// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** Where names lead that stand as code in a text. */
final class NameLinks {
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "((?:ibv|rdma)_\\w+)\\(3\\)", "https://man7.org/linux/man-pages/man3/$1.3.html",
          "(?:drivers|include)/.*\\.[ch]", "https://github.com/torvalds/linux/blob/master/$0",
          "(?:libibverbs|librdmacm|providers)/.*\\.[ch]",
              "https://github.com/linux-rdma/rdma-core/blob/master/$0");

  /** Folders with a page for each name. */
  private static final List<String> FOLDERS = List.of("statuses", "events", "opcodes", "states");

  private NameLinks() {}

  /** The path of a page of the site, an address elsewhere, or empty. */
  static String address(String name, Predicate<String> hasPage) {
    for (Map.Entry<String, String> place : ELSEWHERE.entrySet()) {
      if (name.matches(place.getKey())) {
        return name.replaceFirst(place.getKey(), place.getValue());
      }
    }
    String page = name.replaceFirst("^IBV_(WC|EVENT|QPS)_", "").toLowerCase(Locale.ROOT) + ".md";
    if (name.matches("(ibv|rdma)_[a-z0-9_]+") && hasPage.test("docs/verbs/" + page)) {
      return "docs/verbs/" + page;
    }
    return FOLDERS.stream()
        .map(folder -> "docs/" + folder + "/" + page)
        .filter(path -> name.matches("[A-Z_]{3,}") && hasPage.test(path))
        .findFirst()
        .orElse("");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Targets of links for names in code style. */
final class NameLinks {
  private static final Map<Pattern, String> ELSEWHERE =
      Map.of(
          Pattern.compile("((?:ibv|rdma)_\\w+)\\(3\\)"),
          "https://man7.org/linux/man-pages/man3/$1.3.html",
          Pattern.compile("(?:drivers|include)/.*\\.[ch]"),
          "https://github.com/torvalds/linux/blob/master/$0",
          Pattern.compile("(?:libibverbs|librdmacm|providers)/.*\\.[ch]"),
          "https://github.com/linux-rdma/rdma-core/blob/master/$0");

  private static final Pattern PREFIX = Pattern.compile("^IBV_(WC|EVENT|QPS)_");
  private static final Pattern VERB = Pattern.compile("(ibv|rdma)_[a-z0-9_]+");
  private static final Pattern CONSTANT = Pattern.compile("[A-Z_]{3,}");

  /** Folders with a page for each name. */
  private static final List<String> FOLDERS = List.of("statuses", "events", "opcodes", "states");

  private NameLinks() {}

  /** Path of a page of the site, or an external URL; empty if the name has none. */
  static String address(String name, Predicate<String> hasPage) {
    for (Map.Entry<Pattern, String> place : ELSEWHERE.entrySet()) {
      Matcher elsewhere = place.getKey().matcher(name);
      if (elsewhere.matches()) {
        return elsewhere.replaceFirst(place.getValue());
      }
    }
    List<String> folders =
        VERB.matcher(name).matches()
            ? List.of("verbs")
            : CONSTANT.matcher(name).matches() ? FOLDERS : List.of();
    String page = PREFIX.matcher(name).replaceFirst("").toLowerCase(Locale.ROOT) + ".md";
    return folders.stream()
        .map(folder -> "docs/" + folder + "/" + page)
        .filter(hasPage)
        .findFirst()
        .orElse("");
  }
}

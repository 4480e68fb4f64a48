// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.MarkdownTable;
import io.queuepair.tools.project.ProjectFiles;
import io.queuepair.verbs.Verb;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pages on functions of libibverbs and librdmacm: those with text in the files below {@code verbs},
 * and for each family a table of the others.
 */
final class VerbPages {
  private static final Pattern METHOD = Pattern.compile("\\b([A-Z]\\w+)\\.(\\w+)");
  private static final List<String> PACKAGES =
      List.of("io.queuepair.verbs.", "io.queuepair.rdmacm.", "io.queuepair.umad.");

  /** Families of functions with patterns of their names; the first match counts. */
  private static final Map<String, String> FAMILIES = new LinkedHashMap<>();

  static {
    FAMILIES.put("Connections", "rdma_.*(?<!_(send|recv|read|write|comp)v?)");
    FAMILIES.put("Posting and waiting by librdmacm", "rdma_.*");
    FAMILIES.put("Extended posting", "ibv_wr_(?!opcode).*");
    FAMILIES.put("Completions in batches", "ibv_wc_read_.*|ibv_(start|next|end)_poll");
    FAMILIES.put("Completion queues and channels", ".*_(cq|cq_ex|cq_events?|comp_channel)");
    FAMILIES.put("Completion counters", ".*comp_cntr.*");
    FAMILIES.put("Queue pairs", ".*_(qp|qp_ex|qp_rate_limit|ece|send|recv|qp_data_in_order)");
    FAMILIES.put("Shared receive queues and work queues", ".*(srq|_wq|rwq|xrcd).*");
    FAMILIES.put("Memory", ".*_(mr|mr_.*|mw|pd|td|dm|dm_.*|buf|rkey|dmah|parent_domain)");
    FAMILIES.put("Addresses, groups and flows", ".*(_ah|mcast|flow|counters|eth_l2).*");
    FAMILIES.put("Devices, ports and the rest", ".*");
  }

  /** Names of the files with text. */
  private static final List<String> WRITTEN =
      List.of("devices", "memory", "queues", "queue-pairs", "connection-manager");

  private final ScenarioIndex scenarios;

  /** Text of each function, by name. */
  private final Map<String, String> written = new LinkedHashMap<>();

  private final List<Function> functions = new ArrayList<>();

  VerbPages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (String file : WRITTEN) {
      String pages = ProjectFiles.read("verbs/" + file + ".md");
      for (String page : pages.substring(pages.indexOf("## ") + 1).split("(?m)^#(?=# )", -1)) {
        written.put(page.substring(2, page.indexOf('\n')), page);
      }
    }
    for (List<String> row :
        MarkdownTable.rows("docs/reference/verbs-coverage.md", "function", "purpose")) {
      String name = MarkdownTable.plain(row.get(0));
      boolean isWritten = written.containsKey(name);
      functions.add(new Function(name, row.get(1), row.get(2), row.get(3), isWritten));
    }
  }

  /** Row of the table of functions. */
  private record Function(
      String name, String purpose, String state, String where, boolean isWritten) {
    String link() {
      return isWritten ? "[`" + name + "`](" + name + ".md)" : "`" + name + "`";
    }

    /** Corresponding Java method, or the reason why there is none. */
    String place() {
      return state.equals("done") ? where : state;
    }

    /** Whether a scenario's command, which omits {@code ibv_}, calls this function. */
    boolean isCalledBy(List<String> words) {
      return name.equals(words.get(0)) || name.equals("ibv_" + words.get(0));
    }
  }

  List<PageText> pages() {
    PageText index =
        PageText.index("verbs")
            .add("# Verbs in C and Java")
            .add(
                "Every function of libibverbs and librdmacm, with the method that stands for it."
                    + " A name that is a link has a page: prototype, parameters, errnos, mistakes,"
                    + " C and Java. Which of `ibv_wr_*` a type of queue pair has is in [a"
                    + " matrix](../reference/extended-posting.md).");
    List<PageText> pages = new ArrayList<>(List.of(index));
    Map<String, List<Function>> families =
        functions.stream()
            .collect(
                Collectors.groupingBy(VerbPages::family, LinkedHashMap::new, Collectors.toList()));
    families.forEach(
        (family, members) -> {
          index.add("## ", family).head("C", "purpose", "Java");
          for (Function function : members) {
            if (function.isWritten()) {
              pages.add(page(function));
            }
            index.row(function.link(), function.purpose(), function.place());
          }
        });
    return pages;
  }

  private static String family(Function function) {
    return FAMILIES.entrySet().stream()
        .filter(family -> function.name().matches(family.getValue()))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private PageText page(Function function) {
    String name = function.name();
    PageText page = PageText.of("verbs", name).add(written.get(name)).head("C", "Java");
    signatures(function).forEach(java -> page.row("`" + name + "`", "`" + java + "`"));
    page.add(
        "Where C returns an errno, or sets it and returns NULL, Java throws a `VerbsException`"
            + " with that `errno()`. The man page: `",
        name + "(3)`.");
    page.add("## Scenarios");
    page.add(scenarios.links(scenarios.withCommand(function::isCalledBy)));
    return page.add("[All verbs](README.md)");
  }

  /** Signatures of the Java methods for a function. */
  private static List<String> signatures(Function function) {
    List<String> found = new ArrayList<>();
    List<MatchResult> names = METHOD.matcher(function.where()).results().toList();
    for (MatchResult name : names) {
      for (Method method : methods(name.group(1))) {
        Verb verb = method.getAnnotation(Verb.class);
        boolean isAnnotated = verb != null && List.of(verb.value()).contains(function.name());
        if (isAnnotated && method.getName().equals(name.group(2))) {
          found.add(signature(name.group(1), method));
        }
      }
    }
    return found.isEmpty()
        ? List.of(MarkdownTable.plain(function.where()))
        : found.stream().distinct().sorted().toList();
  }

  private static List<Method> methods(String type) {
    return PACKAGES.stream()
        .flatMap(prefix -> type(prefix + type).stream())
        .flatMap(found -> Arrays.stream(found.getDeclaredMethods()))
        .toList();
  }

  private static Optional<Class<?>> type(String name) {
    try {
      return Optional.of(Class.forName(name));
    } catch (ClassNotFoundException inAnotherPackage) {
      return Optional.empty();
    }
  }

  private static String signature(String type, Method method) {
    String parameters =
        Arrays.stream(method.getParameterTypes())
            .map(Class::getSimpleName)
            .collect(Collectors.joining(", "));
    String result = method.getReturnType().getSimpleName();
    return result + " " + type + "." + method.getName() + "(" + parameters + ")";
  }
}

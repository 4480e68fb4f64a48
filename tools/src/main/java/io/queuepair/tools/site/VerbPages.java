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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Pages of the functions of libibverbs and librdmacm that are written in the files below {@code
 * verbs}, a table of each family for the others, and the matrix of extended posting.
 */
final class VerbPages {
  private static final String MAN = "https://man7.org/linux/man-pages/man3/";
  private static final String WR = "ibv_wr_";
  private static final Pattern METHOD = Pattern.compile("\\b([A-Z]\\w+)\\.(\\w+)");
  private static final List<String> PACKAGES =
      List.of("io.queuepair.verbs.", "io.queuepair.rdmacm.", "io.queuepair.umad.");

  /** Families by what the names of their functions match; the first that does counts. */
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

  /** The files of written pages. */
  private static final List<String> WRITTEN =
      List.of("devices", "memory", "queues", "queue-pairs", "connection-manager");

  private final ScenarioIndex scenarios;

  /** What is written of a function, by its name. */
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

  /** A row of the table of functions. */
  private record Function(
      String name, String purpose, String state, String where, boolean isWritten) {
    boolean isDone() {
      return state.equals("done");
    }

    String link(String folder) {
      return isWritten ? "[`" + name + "`](" + folder + name + ".md)" : "`" + name + "`";
    }

    /** Whether a command of a scenario calls it; the prefix is left out there. */
    boolean isCalledBy(List<String> words) {
      return name.equals(words.get(0)) || name.equals("ibv_" + words.get(0));
    }
  }

  List<LookUpPage> pages() {
    List<LookUpPage> pages = new ArrayList<>();
    StringBuilder index = new StringBuilder("# Verbs in C and Java\n\n");
    index.append("Every function of libibverbs and librdmacm, with the method that stands for it.");
    index.append(
        " A name that is a link has a page: prototype, parameters, errnos, mistakes, C and");
    index.append(" Java. Those of `ibv_wr_*` are also in [a matrix](../wr/README.md).\n");
    Map<String, List<Function>> families =
        functions.stream()
            .collect(
                Collectors.groupingBy(VerbPages::family, LinkedHashMap::new, Collectors.toList()));
    families.forEach(
        (family, members) -> {
          index
              .append("\n## ")
              .append(family)
              .append("\n\n| C | purpose | Java |\n|---|---|---|\n");
          for (Function function : members) {
            if (function.isWritten()) {
              pages.add(page(function));
            }
            String where = function.isDone() ? function.where() : function.state();
            index.append("| ").append(function.link("")).append(" | ").append(function.purpose());
            index.append(" | ").append(where).append(" |\n");
          }
        });
    pages.add(LookUpPage.index("verbs", index.toString()));
    pages.add(matrix());
    return pages;
  }

  private static String family(Function function) {
    return FAMILIES.entrySet().stream()
        .filter(family -> function.name().matches(family.getValue()))
        .findFirst()
        .orElseThrow()
        .getKey();
  }

  private LookUpPage page(Function function) {
    StringBuilder page = new StringBuilder(written.get(function.name()));
    page.append("\n| C | Java |\n|---|---|\n");
    for (String signature : signatures(function)) {
      page.append("| `").append(function.name()).append("` | `").append(signature);
      page.append("` |\n");
    }
    page.append("\nWhere C returns an errno, or sets it and returns NULL, Java throws a");
    page.append(" `VerbsException` with that `errno()`. The man page:");
    page.append(" [").append(function.name()).append("(3)](").append(MAN);
    page.append(function.name()).append(".3.html).\n");
    page.append("\n## Scenarios\n\n");
    page.append(scenarios.links(scenarios.withCommand(function::isCalledBy)));
    page.append("\n[All verbs](README.md)\n");
    return LookUpPage.of("verbs", function.name(), page.toString());
  }

  /** The methods that stand for a function, with their types. */
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

  /** Which operation of a batch a type of queue pair has, with its setters. */
  private LookUpPage matrix() {
    Map<String, Function> byMethod = new LinkedHashMap<>();
    Map<String, Function> byName = new LinkedHashMap<>();
    for (Function function : functions) {
      byName.put(function.name(), function);
      if (function.name().startsWith(WR) && function.isDone()) {
        String where = MarkdownTable.plain(function.where());
        byMethod.put(where.substring(where.lastIndexOf('.') + 1), function);
      }
    }
    StringBuilder page = new StringBuilder("# The ibv_wr matrix\n\n");
    page.append("Which operation of extended posting each type of queue pair has, and which");
    page.append(" setters go with it. Bold setters are required. How to use it:");
    page.append(" [the tutorial](../tutorial/extended-posting.md); the rules:");
    page.append(" [extended posting](../reference/extended-posting.md).\n\n");
    page.append(
        "| operation | RC | UC | UD | XRC_SEND | RAW_PACKET |\n|---|---|---|---|---|---|\n");
    for (List<String> row :
        MarkdownTable.rows("docs/reference/extended-posting.md", "operation", "RC")) {
      Function builder = byName.get(builderOf(row.get(0)));
      page.append("| ").append(builder.link("../verbs/")).append(' ').append(row.get(0));
      for (String cell : row.subList(1, row.size())) {
        page.append(" | ").append(linked(cell, byMethod));
      }
      page.append(" |\n");
    }
    page.append(
        "\nThe man page of `ibv_wr_send_inv` lists UC, too; no opcode of UC could carry it.\n");
    page.append("\n## C and Java\n\n| C | purpose | Java |\n|---|---|---|\n");
    byMethod.forEach(
        (method, function) -> {
          page.append("| ").append(function.link("../verbs/")).append(" | ");
          page.append(function.purpose()).append(" | ").append(function.where()).append(" |\n");
        });
    page.append("\n[All verbs](../verbs/README.md)\n");
    return LookUpPage.index("wr", page.toString());
  }

  /** The function that begins an operation: ibv_wr_send_imm for SEND_WITH_IMM. */
  private static String builderOf(String operation) {
    String name = operation.toLowerCase(Locale.ROOT).replace("_with", "").replace("_and", "");
    return WR + (name.equals("tso") ? "send_tso" : name);
  }

  private static String linked(String cell, Map<String, Function> byMethod) {
    return Pattern.compile("`(\\w+)`")
        .matcher(cell)
        .replaceAll(
            setter -> {
              Function function = byMethod.get(setter.group(1));
              String link = "[" + setter.group() + "](../verbs/" + function.name() + ".md)";
              return function.isWritten() ? link : setter.group();
            });
  }
}

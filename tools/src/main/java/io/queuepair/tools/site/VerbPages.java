// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.site;

import io.queuepair.tools.project.MarkdownTable;
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

/** A page for each function of libibverbs and librdmacm, and the matrix of extended posting. */
final class VerbPages {
  private static final String WR = "ibv_wr_";
  private static final Pattern METHOD = Pattern.compile("\\b([A-Z]\\w+)\\.(\\w+)");
  private static final List<String> PACKAGES =
      List.of("io.queuepair.verbs.", "io.queuepair.rdmacm.", "io.queuepair.umad.");

  private final ScenarioIndex scenarios;
  private final List<Function> functions = new ArrayList<>();

  VerbPages(ScenarioIndex scenarios) {
    this.scenarios = scenarios;
    for (List<String> row :
        MarkdownTable.rows("docs/reference/verbs-coverage.md", "function", "purpose")) {
      functions.add(
          new Function(MarkdownTable.plain(row.get(0)), row.get(1), row.get(2), row.get(3)));
    }
  }

  /** A row of the table of functions. */
  private record Function(String name, String purpose, String state, String where) {
    boolean isDone() {
      return state.equals("done");
    }

    String link(String folder) {
      return "[`" + name + "`](" + folder + name + ".md)";
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
    index.append(" Those of `ibv_wr_*` are also in [a matrix](../wr/README.md).\n\n");
    index.append("| C | purpose | Java |\n|---|---|---|\n");
    for (Function function : functions) {
      pages.add(page(function));
      String where = function.isDone() ? function.where() : function.state();
      index.append("| ").append(function.link("")).append(" | ").append(function.purpose());
      index.append(" | ").append(where).append(" |\n");
    }
    pages.add(LookUpPage.index("verbs", index.toString()));
    pages.add(matrix());
    return pages;
  }

  private LookUpPage page(Function function) {
    String library = function.name().startsWith("rdma_") ? "librdmacm" : "libibverbs";
    StringBuilder page = new StringBuilder("# " + function.name() + "\n\n");
    page.append("A function of ").append(library).append(": ").append(function.purpose());
    page.append(".\n\n");
    if (function.isDone()) {
      page.append("| C | Java |\n|---|---|\n");
      for (String signature : signatures(function)) {
        page.append("| `").append(function.name()).append("` | `").append(signature);
        page.append("` |\n");
      }
      page.append("\nWhere C returns an errno, or sets it and returns NULL, Java throws a");
      page.append(" `VerbsException` with that `errno()`.\n");
    } else {
      page.append("In Java: ").append(function.state()).append(". ").append(function.where());
      page.append("\n");
    }
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
              return "[" + setter.group() + "](../verbs/" + function.name() + ".md)";
            });
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.reference;

import io.queuepair.tests.reference.VerbsCoverage.Function;
import java.util.ArrayList;
import java.util.List;

/** The page that lists every function of libibverbs and librdmacm. */
final class VerbsCoveragePage {
  private static final String HEAD =
      """
      # Verbs coverage

      Generated from the annotations of the API by `COMMAND`; do not edit.

      Every function that libibverbs and librdmacm export or define in their headers \
      (rdma-core 691953d8d502), and the method of
      `io.queuepair.verbs` or `io.queuepair.rdmacm` that stands for it.
      """;

  private static final String TAIL =
      """

      Besides functions, these features of structures and flags are missing: cross-channel verbs \
      (`CORE_DIRECT`, `SYNC`, `WAIT`) and
      signature keys. Sockets over RDMA (`rsocket`), which librdmacm has besides, are not offered.
      """;

  private VerbsCoveragePage() {}

  static String of(VerbsCoverage libibverbs, VerbsCoverage librdmacm, String command) {
    List<String> lines = new ArrayList<>();
    lines.add(HEAD.replace("COMMAND", command).stripTrailing());
    addLibrary(lines, "libibverbs", libibverbs);
    addLibrary(lines, "librdmacm", librdmacm);
    return String.join("\n", lines) + "\n" + TAIL;
  }

  private static void addLibrary(List<String> lines, String name, VerbsCoverage coverage) {
    lines.addAll(List.of("", "## " + name, ""));
    lines.add("| state | functions |");
    lines.add("|---|---|");
    for (String state : List.of("done", "not applicable", "missing", "not yet")) {
      long count = coverage.functions().stream().filter(each -> each.state().equals(state)).count();
      if (count > 0) {
        lines.add("| " + state + " | " + count + " |");
      }
    }
    lines.add("");
    lines.add("| function | purpose | state | where, or why not |");
    lines.add("|---|---|---|---|");
    coverage.functions().forEach(each -> lines.add(line(each)));
  }

  private static String line(Function function) {
    String remark = function.absence() == null ? "" : function.absence().reason();
    return String.join(
        " | ",
        "| `" + function.name() + "`",
        function.purpose(),
        function.state(),
        (function.isDone() ? "`" + String.join("`, `", function.methods()) + "`" : remark) + " |");
  }
}

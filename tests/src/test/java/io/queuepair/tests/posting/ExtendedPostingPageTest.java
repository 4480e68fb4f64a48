// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.posting;

import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendOperation.WrSetter;
import io.queuepair.tests.support.GeneratedPage;
import io.queuepair.verbs.QpType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page that lists what a batch may hold, from the table by which the device decides. */
final class ExtendedPostingPageTest {
  private static final GeneratedPage PAGE =
      GeneratedPage.byTest("docs/reference/extended-posting.md", ExtendedPostingPageTest.class);

  private static final String HEAD =
      """
      # Extended posting

      Generated from the table of the device by `COMMAND`; do not edit.

      Which operations the queue pairs of each type have in a batch (`ibv_wr_*`), and which \
      setters go with each.
      An operation must be asked for when the queue pair is created, with the flag of its name. \
      Setters in bold are
      a must; of `setSge` (or `setSgeList`) and `setInlineData` (or `setInlineDataList`) there \
      is one at most, and
      none makes a message of length 0. `yes` is an operation without setters. How to use it: \
      [the tutorial](../tutorial/extended-posting.md).

      """;

  private static final List<QpType> TYPES =
      List.of(QpType.RC, QpType.UC, QpType.UD, QpType.XRC_SEND, QpType.RAW_PACKET);

  private static final String TAIL =
      """

      Linux Soft-RoCE (profile `soft-roce`) has RC, UC and UD, without FLUSH, ATOMIC_WRITE and \
      TSO; it grants UC
      the operation SEND_WITH_INV, whose requests then fail with LOC_QP_OP_ERR, and not \
      LOCAL_INV. Otherwise UC
      has no SEND_WITH_INV, since no opcode on the wire could carry it.

      SEND_WITH_INV invalidates a memory window of type 2. The man page speaks of a memory region: \
      as on adapters,
      the key of a region completes with REM_ACCESS_ERR. Through the target of an XRC connection, \
      which has no
      send queue to bind a window with, windows of the protection domain of the shared receive \
      queue are open.
      """;

  @Test
  void thePageIsUpToDate() throws IOException {
    PAGE.check(page(PAGE.command()));
  }

  private static String page(String command) {
    List<String> lines = new ArrayList<>();
    lines.add("| operation | " + names() + " |");
    lines.add("|---|" + "---|".repeat(TYPES.size()));
    Stream.of(SendOperation.values())
        .filter(operation -> operation.flag() != null)
        .forEach(operation -> lines.add(row(operation)));
    return HEAD.replace("COMMAND", command) + String.join("\n", lines) + "\n" + TAIL;
  }

  private static String names() {
    return TYPES.stream().map(QpType::name).collect(Collectors.joining(" | "));
  }

  private static String row(SendOperation operation) {
    String name = operation.opcode().name();
    return "| `"
        + function(name.toLowerCase(Locale.ROOT))
        + "` "
        + name
        + " | "
        + TYPES.stream().map(type -> cell(operation, type)).collect(Collectors.joining(" | "))
        + " |";
  }

  /** The function of libibverbs that begins an operation. */
  private static String function(String operation) {
    String part = operation.replace("_with", "").replace("_and", "");
    return "ibv_wr_" + part.replaceFirst("^tso$", "send_tso");
  }

  private static String cell(SendOperation operation, QpType type) {
    if (!operation.isOffered(type)) {
      return "-";
    }
    String setters =
        operation.setters(type).stream()
            .map(setter -> setter.isData() ? call(setter) : "**" + call(setter) + "**")
            .collect(Collectors.joining(", "));
    return setters.isEmpty() ? "yes" : setters;
  }

  private static String call(WrSetter setter) {
    return "`" + setter.method() + "`";
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tools.cli;

import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WorkCompletion;
import java.util.Locale;

/** Formats completions for learners. */
public final class CompletionText {
  private CompletionText() {}

  /**
   * Outcome of a work request, such as {@code wr_id 1: SEND 15 bytes, SUCCESS (success)}; the
   * reason of a failure is {@link WorkCompletion#explain()}.
   */
  public static String of(WorkCompletion completion) {
    String outcome = completion.status() + " (" + completion.status().text() + ")";
    String what =
        completion.isSuccess() ? completion.opcode() + " " + completion.byteLen() + " bytes, " : "";
    return String.format(Locale.ROOT, "wr_id %d: %s%s", completion.wrId(), what, outcome);
  }

  /** Further fields of a success, such as {@code , imm_data 0x0000002a}; may be empty. */
  public static String extras(WorkCompletion completion) {
    if (!completion.isSuccess()) {
      return "";
    }
    String extras = "";
    if (completion.wcFlags().contains(WcFlag.WITH_IMM)) {
      extras += String.format(Locale.ROOT, ", imm_data 0x%08x", completion.immData());
    }
    if (completion.wcFlags().contains(WcFlag.WITH_INV)) {
      extras +=
          String.format(Locale.ROOT, ", invalidated rkey 0x%08x", completion.invalidatedRkey());
    }
    if (completion.wcFlags().contains(WcFlag.GRH)) {
      extras += ", GRH";
    }
    if (completion.srcQp() != 0) {
      extras += String.format(Locale.ROOT, ", src_qp 0x%06x", completion.srcQp());
    }
    return extras;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.tests.conformance;

import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WorkCompletion;
import java.util.List;
import java.util.Set;

/**
 * Completions in words, with just the fields that are defined: a failure has a status only, the
 * length counts for receives and READs.
 */
public final class Outcomes {
  private Outcomes() {}

  public static List<String> of(List<WorkCompletion> completions) {
    return completions.stream().map(Outcomes::of).toList();
  }

  /** For example {@code 7 RECV 12 imm 0x0000cafe}, {@code 7 SEND}, {@code 7 WR_FLUSH_ERR}. */
  public static String of(WorkCompletion wc) {
    if (!wc.isSuccess()) {
      return wc.wrId() + " " + wc.status();
    }
    boolean isMeasured =
        switch (wc.opcode()) {
          case RECV, RECV_RDMA_WITH_IMM, RDMA_READ -> true;
          default -> false;
        };
    String length = isMeasured ? " " + wc.byteLen() : "";
    return wc.wrId() + " " + wc.opcode() + length + flags(wc);
  }

  private static String flags(WorkCompletion wc) {
    Set<WcFlag> flags = wc.wcFlags();
    if (SystemDevice.isNamed()) {
      // Soft-RoCE sets it in all receives, which is one finding, not one for each test.
      flags = VerbsConstant.flags(WcFlag.class, VerbsConstant.mask(flags) & ~WcFlag.GRH.code());
    }
    if (flags.equals(Set.of(WcFlag.WITH_IMM)) && wc.opcode() != WcOpcode.SEND) {
      return String.format(" imm 0x%08x", wc.immData());
    }
    return flags.isEmpty() ? "" : " " + flags;
  }
}

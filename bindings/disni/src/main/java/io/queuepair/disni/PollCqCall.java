// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.SVCPollCq;
import io.queuepair.verbs.VerbsConstant;
import io.queuepair.verbs.WorkCompletion;
import java.io.IOException;

/** A poll of a completion queue into the program's own entries, which each poll overwrites. */
final class PollCqCall extends SVCPollCq {
  /**
   * libdisni fills in more than wr_id, status and opcode only if the status is success, so that a
   * failed completion shows the queue pair of an earlier one. With this property it is so here,
   * too.
   */
  private static final boolean KEEPS_STALE_FIELDS =
      Boolean.getBoolean("queuepair.disni.staleErrorCompletions");

  private final DisniCq cq;
  private final IbvWC[] entries;
  private final WorkCompletion[] taken;
  private int polled;
  private boolean isValid = true;

  PollCqCall(DisniCq cq, IbvWC[] entries, int ne) {
    this.cq = cq;
    this.entries = entries;
    taken = new WorkCompletion[Math.max(0, Math.min(ne, entries.length))];
  }

  @Override
  public SVCPollCq execute() throws IOException {
    polled = 0;
    DisniErrors.requireOpen(cq.isOpen(), "pollCQ", "completion queue");
    int found = DisniErrors.call("pollCQ", () -> cq.cq().poll(taken));
    for (int i = 0; i < found; i++) {
      fill(entries[i], taken[i]);
    }
    polled = found;
    return this;
  }

  private static void fill(IbvWC entry, WorkCompletion completion) {
    entry.setWr_id(completion.wrId());
    entry.setStatus(completion.status().code());
    entry.setOpcode(completion.opcode().code());
    if (!completion.isSuccess() && KEEPS_STALE_FIELDS) {
      return;
    }
    entry.setVendor_err(completion.vendorErr());
    entry.setByte_len(completion.byteLen());
    // DiSNI leaves immediates in the byte order of the host: in that of the wire for C.
    entry.setImm_data(Integer.reverseBytes(completion.immData()));
    entry.setQp_num(completion.qpNum());
    entry.setSrc_qp(completion.srcQp());
    entry.setWc_flags(VerbsConstant.mask(completion.wcFlags()));
  }

  @Override
  public int getPolls() {
    return polled;
  }

  @Override
  public boolean isValid() {
    return isValid;
  }

  @Override
  public SVCPollCq free() {
    isValid = false;
    return this;
  }
}

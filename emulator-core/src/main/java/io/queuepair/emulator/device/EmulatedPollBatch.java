// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.queue.Cqe;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.PollBatch;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WcTmInfo;
import java.util.Set;

/** A batch of polls of an extended completion queue, by one thread. */
final class EmulatedPollBatch implements PollBatch {
  private static final String NEXT = "ibv_next_poll";
  private static final String END = "ibv_end_poll";

  /** Value of fields that RoCE packets do not carry: LIDs and service level. */
  private static final int NOT_ON_ROCE = 0;

  private static final int NO_VENDOR_ERR = 0;

  private final EmulatedExtendedCompletionQueue cq;
  private final BatchSession session;

  /** Current completion; valid until the batch has come to its end. */
  private final Cqe currentCqe;

  private boolean hasCurrent;

  /** Whether {@link #nextPoll} has moved to the first completion. */
  private boolean isStarted;

  private boolean isEmpty;
  private volatile boolean hasEnded;

  /**
   * Begins a batch.
   *
   * @param session session that the calling thread has opened
   * @param currentCqe becomes each completion in turn; batches may share it
   */
  EmulatedPollBatch(EmulatedExtendedCompletionQueue cq, BatchSession session, Cqe currentCqe) {
    this.cq = cq;
    this.session = session;
    this.currentCqe = currentCqe;
  }

  /** Takes the next completion from the queue; false if there is none. */
  boolean take(String verb) {
    try (Step step = cq.driver().resumeCall(verb)) {
      step.check(cq.lifecycle());
      hasCurrent = cq.ring().pollAndKeep(currentCqe);
    }
    return hasCurrent;
  }

  /** Ends a batch that found nothing. */
  void endEmpty() {
    isEmpty = true;
    hasEnded = true;
    session.close();
  }

  @Override
  public boolean nextPoll() {
    if (isEmpty) {
      return false;
    }
    checkOpen(NEXT);
    if (isStarted) {
      cq.driver().failAsPlanned(NEXT);
      return take(NEXT);
    }
    isStarted = true;
    return true;
  }

  @Override
  public String toString() {
    return "batch of polls on " + cq + (hasEnded ? " (ended)" : "");
  }

  @Override
  public void close() {
    if (hasEnded) {
      return;
    }
    session.checkOpen(END);
    hasEnded = true;
    hasCurrent = false;
    try (Step step = cq.driver().resumeCall(END)) {
      cq.ring().release();
    }
    session.close();
  }

  private void checkOpen(String what) {
    if (hasEnded) {
      throw refusal(what, "the batch of polls has ended");
    }
    session.checkOpen(what);
  }

  private Cqe current(String what) {
    checkOpen(what);
    if (!isStarted) {
      throw refusal(what, "no completion is current: nextPoll moves to the first one");
    }
    if (!hasCurrent) {
      throw refusal(what, "the batch has come to its end: no completion is current");
    }
    return currentCqe;
  }

  private Cqe current(String verb, CreateCqWcFlag neededFlag) {
    if (!cq.has(neededFlag)) {
      throw notOffered(verb, neededFlag);
    }
    return current(verb);
  }

  @Override
  public long wrId() {
    return current("wr_id").wrId();
  }

  @Override
  public WcStatus status() {
    return current("status").status();
  }

  @Override
  public String explain() {
    String explanation = current("explain").explanation();
    return explanation == null ? "" : explanation;
  }

  @Override
  public WcOpcode readOpcode() {
    return current("ibv_wc_read_opcode").opcode();
  }

  @Override
  public int readVendorErr() {
    current("ibv_wc_read_vendor_err");
    return NO_VENDOR_ERR;
  }

  @Override
  public Set<WcFlag> readWcFlags() {
    return current("ibv_wc_read_wc_flags").wcFlags();
  }

  @Override
  public int readByteLen() {
    return current("ibv_wc_read_byte_len", CreateCqWcFlag.WITH_BYTE_LEN).byteLen();
  }

  @Override
  public int readImmData() {
    return current("ibv_wc_read_imm_data", CreateCqWcFlag.WITH_IMM).immData();
  }

  @Override
  public int readInvalidatedRkey() {
    return current("ibv_wc_read_invalidated_rkey", CreateCqWcFlag.WITH_IMM).immData();
  }

  @Override
  public int readQpNum() {
    return current("ibv_wc_read_qp_num", CreateCqWcFlag.WITH_QP_NUM).qpNum();
  }

  @Override
  public int readSrcQp() {
    return current("ibv_wc_read_src_qp", CreateCqWcFlag.WITH_SRC_QP).srcQp();
  }

  @Override
  public int readSlid() {
    current("ibv_wc_read_slid", CreateCqWcFlag.WITH_SLID);
    return NOT_ON_ROCE;
  }

  @Override
  public int readSl() {
    current("ibv_wc_read_sl", CreateCqWcFlag.WITH_SL);
    return NOT_ON_ROCE;
  }

  @Override
  public int readDlidPathBits() {
    current("ibv_wc_read_dlid_path_bits", CreateCqWcFlag.WITH_DLID_PATH_BITS);
    return NOT_ON_ROCE;
  }

  @Override
  public long readCompletionTs() {
    current("ibv_wc_read_completion_ts", CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP);
    return currentCqe.nanos();
  }

  @Override
  public long readCompletionWallclockNs() {
    current(
        "ibv_wc_read_completion_wallclock_ns", CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    return cq.driver().wallClockNanos(currentCqe.nanos());
  }

  @Override
  public int readCvlan() {
    current("ibv_wc_read_cvlan", CreateCqWcFlag.WITH_CVLAN);
    return currentCqe.cvlan();
  }

  @Override
  public int readFlowTag() {
    throw notOffered("ibv_wc_read_flow_tag", CreateCqWcFlag.WITH_FLOW_TAG);
  }

  @Override
  public WcTmInfo readTmInfo() {
    throw notOffered("ibv_wc_read_tm_info", CreateCqWcFlag.WITH_TM_INFO);
  }

  private static VerbsException notOffered(String verb, CreateCqWcFlag neededFlag) {
    return refusal(verb, "the completion queue was created without " + neededFlag);
  }

  private static VerbsException refusal(String verb, String message) {
    return new VerbsException(Errno.EINVAL, verb, message);
  }
}

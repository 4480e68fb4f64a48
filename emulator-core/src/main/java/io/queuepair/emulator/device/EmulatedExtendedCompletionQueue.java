package io.queuepair.emulator.device;

import io.queuepair.emulator.queue.CompletionRing;
import io.queuepair.verbs.CqInitAttrEx;
import io.queuepair.verbs.CreateCqAttrFlag;
import io.queuepair.verbs.CreateCqWcFlag;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedCompletionQueue;
import io.queuepair.verbs.MessageTag;
import io.queuepair.verbs.PollCqAttr;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WcFlag;
import io.queuepair.verbs.WcOpcode;
import io.queuepair.verbs.WcStatus;
import io.queuepair.verbs.WorkCompletion;
import java.util.Objects;
import java.util.Set;

/** A completion queue that is polled in batches; one batch at a time is open. */
final class EmulatedExtendedCompletionQueue extends EmulatedCompletionQueue
    implements ExtendedCompletionQueue {
  static final String CREATE = "ibv_create_cq_ex";

  private static final String START = "ibv_start_poll";
  private static final String NEXT = "ibv_next_poll";
  private static final String END = "ibv_end_poll";

  /** What RoCE packets do not carry: identifiers of the subnet, service level. */
  private static final int NOT_ON_ROCE = 0;

  private final Set<CreateCqWcFlag> wcFlags;
  private final BatchLock batch;
  private final Purpose starting = new Purpose(START, this::awaited);

  /** The completion of the batch that can be read, or null; belongs to the thread of the batch. */
  private WorkCompletion current;

  /** What it has that has no field in a plain one. */
  private CompletionRing.Extras extras;

  EmulatedExtendedCompletionQueue(
      EmulatedContext context, CqInitAttrEx initAttr, EmulatedCompletionChannel channel) {
    super(context, new Plan(CREATE, initAttr.cqe(), channel, options(initAttr)));
    wcFlags = Set.copyOf(initAttr.wcFlags());
    batch = new BatchLock("polls", !initAttr.flags().contains(CreateCqAttrFlag.SINGLE_THREADED));
  }

  private static CompletionRing.Options options(CqInitAttrEx initAttr) {
    Set<CreateCqWcFlag> fields = initAttr.wcFlags();
    boolean isDetailed =
        fields.contains(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP)
            || fields.contains(CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
            || fields.contains(CreateCqWcFlag.WITH_CVLAN);
    return new CompletionRing.Options(
        isDetailed, initAttr.flags().contains(CreateCqAttrFlag.IGNORE_OVERRUN));
  }

  @Override
  public boolean startPoll(PollCqAttr attr) {
    Objects.requireNonNull(attr, "attr");
    driver().failAsPlanned(START);
    if (attr.compMask() != 0) {
      throw new VerbsException(
          Errno.EINVAL, START, "comp_mask " + attr.compMask() + " is not 0, and no bit is known");
    }
    batch.open(START);
    boolean isLast = driver().waiters().areDismissed();
    boolean found = false;
    Waiters waiters = driver().waiters();
    try {
      found = advance(START);
      if (!found && isLast) {
        driver().checkPresent(START);
      }
      found = found || (waiters.pollMakesProgress(START) && advance(START));
      if (found) {
        waiters.foundSomething();
      } else {
        waiters.foundNothing(starting);
      }
    } finally {
      if (!found) {
        batch.close();
      }
    }
    return found;
  }

  @Override
  public boolean nextPoll() {
    driver().failAsPlanned(NEXT);
    batch.checkOpen(NEXT);
    return advance(NEXT);
  }

  private boolean advance(String verb) {
    current =
        driver()
            .call(
                hca -> {
                  lifetime().check(verb);
                  WorkCompletion taken = ring().pollAndKeep();
                  extras = ring().taken();
                  return taken;
                });
    return current != null;
  }

  @Override
  public void endPoll() {
    batch.checkOpen(END);
    current = null;
    driver()
        .call(
            hca -> {
              ring().release();
              return null;
            });
    batch.close();
  }

  @Override
  public int poll(WorkCompletion[] into) {
    batch.open(POLL);
    try {
      return super.poll(into);
    } finally {
      batch.close();
    }
  }

  @Override
  public void close() {
    if (batch.isOpen()) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_cq", "a batch of polls is open");
    }
    super.close();
  }

  private WorkCompletion current(String what) {
    batch.checkOpen(what);
    if (current == null) {
      throw new VerbsException(
          Errno.EINVAL, what, "the batch has come to its end: no completion is current");
    }
    return current;
  }

  private WorkCompletion current(String verb, CreateCqWcFlag needed) {
    if (!wcFlags.contains(needed)) {
      throw new VerbsException(
          Errno.EINVAL, verb, "the completion queue was created without " + needed);
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
    return current("explain").explain();
  }

  @Override
  public WcOpcode readOpcode() {
    return current("ibv_wc_read_opcode").opcode();
  }

  @Override
  public int readVendorErr() {
    return current("ibv_wc_read_vendor_err").vendorErr();
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
    return current("ibv_wc_read_invalidated_rkey", CreateCqWcFlag.WITH_IMM).invalidatedRkey();
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
    return extras.nanos();
  }

  @Override
  public long readCompletionWallclockNs() {
    current(
        "ibv_wc_read_completion_wallclock_ns", CreateCqWcFlag.WITH_COMPLETION_TIMESTAMP_WALLCLOCK);
    return driver().wallClockNanos(extras.nanos());
  }

  @Override
  public int readCvlan() {
    current("ibv_wc_read_cvlan", CreateCqWcFlag.WITH_CVLAN);
    return extras.cvlan();
  }

  @Override
  public int readFlowTag() {
    throw notOffered("ibv_wc_read_flow_tag", CreateCqWcFlag.WITH_FLOW_TAG);
  }

  @Override
  public MessageTag readTmInfo() {
    throw notOffered("ibv_wc_read_tm_info", CreateCqWcFlag.WITH_TM_INFO);
  }

  /** Creation refuses these, so that no queue has them. */
  private static VerbsException notOffered(String verb, CreateCqWcFlag needed) {
    return new VerbsException(
        Errno.EINVAL, verb, "the completion queue was created without " + needed);
  }
}

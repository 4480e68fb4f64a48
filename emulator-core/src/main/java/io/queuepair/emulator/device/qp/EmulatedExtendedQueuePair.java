// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device.qp;

import io.queuepair.emulator.device.hca.WrBuilder;
import io.queuepair.emulator.device.objects.OwningContext;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.SendFlag;
import io.queuepair.verbs.SendOpsFlag;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair with extended posting. One batch at a time is open. */
public final class EmulatedExtendedQueuePair extends EmulatedQueuePair
    implements ExtendedQueuePair {
  private static final String START = "ibv_wr_start";

  private final QpInitAttrEx initAttr;
  private final Set<SendOpsFlag> sendOps;

  /** The batch that is open, or null; written by the thread of the batch. */
  private volatile @Nullable WrBatch open;

  /** What the next request gets, unless it is set; belongs to the thread of the batch. */
  private WrDefaults wrDefaults = new WrDefaults(0, Set.of());

  EmulatedExtendedQueuePair(
      OwningContext context, QpFactory.CreatedQp made, QpInitAttrEx initAttr) {
    super(context, made);
    this.initAttr = initAttr;
    sendOps = Set.copyOf(initAttr.sendOpsFlags());
  }

  /** What stays from one request to the next, as the members of {@code ibv_qp_ex} do. */
  record WrDefaults(long wrId, Set<SendFlag> flags) {}

  @Override
  public QpInitAttrEx initAttrEx() {
    return initAttr.withBase(initAttr());
  }

  @Override
  public WrBatch wrStart() {
    if (!initAttr.compMask().contains(QpInitAttrMask.SEND_OPS_FLAGS)) {
      throw new VerbsException(
          Errno.EINVAL, START, "the queue pair was created without SEND_OPS_FLAGS");
    }
    driver().checkPresent(START);
    openSends(START);
    boolean started = false;
    try {
      driver()
          .call(
              hca -> {
                lifecycle().check(START);
                return null;
              });
      open = new EmulatedWrBatch(this);
      started = true;
      return open;
    } finally {
      if (!started) {
        closeSends();
      }
    }
  }

  /** Whether an operation was asked for, and granted. */
  boolean grants(SendOpsFlag operation) {
    return sendOps.contains(operation);
  }

  /** Refuses calls on a batch that is over, or is another thread's. */
  void checkOpen(WrBatch batch, String verb) {
    posting().checkOpen(verb);
    if (open != batch) {
      throw new VerbsException(Errno.EINVAL, verb, "the batch of sends is over");
    }
  }

  boolean isOpen(WrBatch batch) {
    return open == batch;
  }

  /** Ends the batch that is open. */
  void end() {
    open = null;
    closeSends();
  }

  WrDefaults wrDefaults() {
    return wrDefaults;
  }

  void setSticky(WrDefaults newSticky) {
    wrDefaults = newSticky;
  }

  void post(List<WrBuilder> batch) {
    driver().postBatch(qp(), lifecycle(), batch);
  }

  @Override
  public void close() {
    if (open != null) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "a batch of sends is open");
    }
    super.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.emulator.device;

import io.queuepair.emulator.device.HcaDriver.Step;
import io.queuepair.emulator.engine.QpEngine;
import io.queuepair.emulator.hca.ObjectLifecycle;
import io.queuepair.emulator.hca.SetterCheck;
import io.queuepair.emulator.hca.WrPosition;
import io.queuepair.emulator.queue.SendBatchPoster;
import io.queuepair.emulator.queue.SendOperation;
import io.queuepair.emulator.queue.SendOperation.WrSetter;
import io.queuepair.emulator.queue.SendReader;
import io.queuepair.emulator.queue.SendRequest;
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
final class EmulatedExtendedQueuePair extends EmulatedQueuePair
    implements ExtendedQueuePair, SendBatchPoster {
  private static final String START = "ibv_wr_start";

  private final QpInitAttrEx initAttr;
  private final Set<SendOpsFlag> sendOps;

  /** Open batch, or null; written by the thread of the batch. */
  private volatile @Nullable WrBatch openBatch;

  /** Identifier and flags of the next request; used by the thread of the batch only. */
  private WrDefaults wrDefaults = new WrDefaults(0, Set.of());

  private final SetterCheck setterCheck = this::checkSetters;

  EmulatedExtendedQueuePair(
      EmulatedContext context,
      EmulatedProtectionDomain pd,
      QpInitAttrEx initAttr,
      QpEngine qpEngine,
      List<ObjectLifecycle> neededLifecycles) {
    super(context, pd, initAttr.base(), qpEngine, neededLifecycles);
    this.initAttr = initAttr;
    sendOps = Set.copyOf(initAttr.sendOpsFlags());
  }

  /** Values that stay between requests: {@code wr_id} and {@code wr_flags} of {@code ibv_qp_ex}. */
  record WrDefaults(long wrId, Set<SendFlag> flags) {}

  @Override
  public QpInitAttrEx initAttrEx() {
    return initAttr;
  }

  @Override
  public WrBatch wrStart() {
    begin();
    openBatch = new EmulatedWrBatch(this);
    return openBatch;
  }

  /** Begins a batch; other threads cannot post sends until it ends. */
  private void begin() {
    if (!initAttr.compMask().contains(QpInitAttrMask.SEND_OPS_FLAGS)) {
      throw new VerbsException(
          Errno.EINVAL, START, "the queue pair was created without SEND_OPS_FLAGS");
    }
    driver().checkPresent(START);
    openSends(START);
    boolean started = false;
    try (Step step = driver().resumeCall(START)) {
      step.check(lifecycle());
      started = true;
    } finally {
      if (!started) {
        closeSends();
      }
    }
  }

  /** Whether an operation was asked for at creation, and granted. */
  boolean grants(SendOpsFlag flag) {
    return sendOps.contains(flag);
  }

  /** Refuses calls on a batch that has ended, or that belongs to another thread. */
  void checkOpen(WrBatch batch, String verb) {
    posting().checkOpen(verb);
    if (openBatch != batch) {
      throw new VerbsException(Errno.EINVAL, verb, "the batch of sends is over");
    }
  }

  boolean isOpen(WrBatch batch) {
    return openBatch == batch;
  }

  void end() {
    openBatch = null;
    closeSends();
  }

  WrDefaults wrDefaults() {
    return wrDefaults;
  }

  void setSticky(WrDefaults newSticky) {
    wrDefaults = newSticky;
  }

  <S> void post(int count, S source, SendReader<S> reader) {
    post(count, source, reader, SetterCheck.NONE);
  }

  private <S> void post(int count, S source, SendReader<S> reader, SetterCheck setters) {
    try (Step step = driver().resumeSend(EmulatedWrBatch.COMPLETE)) {
      step.check(lifecycle());
      step.hca().queuePairs().postBatch(qpEngine(), count, source, reader, setters);
    }
  }

  @Override
  public <S> void postBatch(int count, S source, SendReader<S> reader) {
    begin();
    try {
      driver().beginVerb(EmulatedWrBatch.COMPLETE);
      post(count, source, reader, setterCheck);
    } finally {
      closeSends();
    }
  }

  /** Refuses a request that the setters of {@link WrBatch} could not have built. */
  private void checkSetters(SendRequest request, WrPosition position) {
    SendOperation operation = request.operation();
    if (!grants(operation.flag())) {
      throw position.refusal(notGranted(operation));
    }
    if (request.has(SendFlag.INLINE)) {
      throw position.refusal(EmulatedWrBatch.NO_INLINE_FLAG);
    }
    if (request.sges().size() > 0 && !operation.takes(WrSetter.SGE)) {
      throw position.refusal(request.opcode() + " has no entries");
    }
    boolean hasData = request.value() != null && !operation.isDataOfTheBuilder();
    if (hasData && !operation.takes(WrSetter.INLINE_DATA)) {
      throw position.refusal(request.opcode() + " has no inline data");
    }
  }

  static String notGranted(SendOperation operation) {
    return "the queue pair was created without " + operation.flag();
  }

  @Override
  public void close() {
    if (openBatch != null) {
      throw new VerbsException(Errno.EBUSY, "ibv_destroy_qp", "a batch of sends is open");
    }
    super.close();
  }
}

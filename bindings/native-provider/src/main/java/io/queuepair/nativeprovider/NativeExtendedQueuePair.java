// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Errno;
import io.queuepair.verbs.ExtendedQueuePair;
import io.queuepair.verbs.QpInitAttrEx;
import io.queuepair.verbs.QpInitAttrMask;
import io.queuepair.verbs.VerbsException;
import io.queuepair.verbs.WrBatch;

/** A queue pair that was created with extended attributes. */
final class NativeExtendedQueuePair extends NativeQueuePair implements ExtendedQueuePair {
  private final QpInitAttrEx initAttrEx;

  /** Null without operations of extended posting. */
  private final NativeWrBatch batch;

  NativeExtendedQueuePair(NativeProtectionDomain pd, long address, QpInitAttrEx attr) {
    super(pd.context(), address, pd, attr.base());
    initAttrEx = attr;
    batch =
        attr.compMask().contains(QpInitAttrMask.SEND_OPS_FLAGS)
            ? new NativeWrBatch(this, Libibverbs.QP_TO_QP_EX.pointer(address))
            : null;
  }

  @Override
  public QpInitAttrEx initAttrEx() {
    return initAttrEx;
  }

  @Override
  void prepareDestruction() {
    if (isPostedByThisThread()) {
      batch.close();
    }
    super.prepareDestruction();
  }

  @Override
  public WrBatch wrStart() {
    String verb = "ibv_wr_start";
    if (batch == null) {
      throw new VerbsException(Errno.EINVAL, verb, "it was created without SEND_OPS_FLAGS");
    }
    address();
    lockSends(verb);
    batch.start();
    return batch;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.ProtectionDomain;
import io.queuepair.verbs.WorkQueue;
import io.queuepair.verbs.WqAttr;
import io.queuepair.verbs.WqAttrMask;
import io.queuepair.verbs.WqFlag;
import io.queuepair.verbs.WqInitAttr;
import io.queuepair.verbs.WqState;
import io.queuepair.verbs.WqType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Calls of C to work queues and their indirection tables. */
final class WorkQueueEntries {
  private static final int MAX_WR = 4;
  private static final int MAX_SGE = 5;

  private WorkQueueEntries() {}

  static long createWq(long context, ByteBuffer args) {
    WqInitAttr attr =
        new WqInitAttr(
            CValues.one("wq_type", WqType.class, Args.intSlot(args, 3)),
            Args.intSlot(args, MAX_WR),
            Args.intSlot(args, MAX_SGE),
            Handles.getOrNull(Args.slot(args, 1), ProtectionDomain.class),
            CompletionEntries.queueOrNull(Args.slot(args, 2)),
            CValues.flags(WqFlag.class, Args.slot(args, 6)));
    WorkQueue wq = Handles.get(context, Context.class).createWq(attr);
    EventTargets.put(wq, args);
    Args.setSlot(args, 0, wq.wqNum());
    Args.setSlot(args, MAX_WR, wq.initAttr().maxWr());
    Args.setSlot(args, MAX_SGE, wq.initAttr().maxSge());
    return Handles.add(wq);
  }

  static void modifyWq(long wq, ByteBuffer args) {
    Set<WqAttrMask> mask = CValues.flags(WqAttrMask.class, Args.slot(args, 0));
    boolean changesFlags = mask.contains(WqAttrMask.FLAGS);
    Handles.get(wq, WorkQueue.class)
        .modify(
            new WqAttr(
                mask,
                mask.contains(WqAttrMask.STATE) ? state(args, 1) : null,
                mask.contains(WqAttrMask.CURR_STATE) ? state(args, 2) : null,
                changesFlags ? CValues.flags(WqFlag.class, Args.slot(args, 3)) : Set.of(),
                changesFlags ? CValues.flags(WqFlag.class, Args.slot(args, 4)) : Set.of()));
  }

  private static WqState state(ByteBuffer args, int slot) {
    return CValues.one("wq_state", WqState.class, Args.intSlot(args, slot));
  }

  static long createRwqIndTable(long context, ByteBuffer args) {
    List<WorkQueue> wqs = new ArrayList<>();
    int places = Args.intSlot(args, 0);
    for (int i = 0; i < places; i++) {
      long handle = args.getLong(Args.BYTES + i * Long.BYTES);
      wqs.add(Handles.get(handle, WorkQueue.class));
    }
    return Handles.add(Handles.get(context, Context.class).createRwqIndTable(wqs));
  }
}

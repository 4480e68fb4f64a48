// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeverbs;

import io.queuepair.verbs.Context;
import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QueuePair;
import java.nio.ByteBuffer;

/** Calls of C to flows, and to the counters that are attached to them. */
final class FlowEntries {
  private FlowEntries() {}

  static long createFlow(long qp, ByteBuffer args) {
    FlowAttr attr = FlowAttrStruct.read(args, Args.BYTES);
    return Handles.add(Handles.get(qp, QueuePair.class).createFlow(attr));
  }

  static long createCounters(long context, ByteBuffer args) {
    return Handles.add(Handles.get(context, Context.class).createCounters());
  }

  static void attachCounters(long handle, ByteBuffer args) {
    Counters counters = Handles.get(handle, Counters.class);
    CounterDescription description =
        CValues.one("counter_desc", CounterDescription.class, Args.intSlot(args, 0));
    Flow flow = Handles.getOrNull(Args.slot(args, 2), Flow.class);
    counters.attachPointFlow(description, Args.intSlot(args, 1), flow);
  }

  /** Reads counters. The device refuses any count that a call has no room for. */
  static void readCounters(long handle, ByteBuffer args) {
    int count = Args.intSlot(args, 0);
    long[] values = Handles.get(handle, Counters.class).read(count);
    for (int i = 0; i < values.length; i++) {
      args.putLong(Args.BYTES + i * Long.BYTES, values[i]);
    }
  }
}

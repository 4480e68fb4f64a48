// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.CounterDescription;
import io.queuepair.verbs.Counters;
import io.queuepair.verbs.Errno;
import io.queuepair.verbs.Flow;
import io.queuepair.verbs.VerbsException;
import java.lang.foreign.Arena;

/** Counters of what flows take. */
final class NativeCounters extends NativeObject implements Counters {
  private static final int INDEX = VerbsAbi.offset("ibv_counter_attach_attr.index");

  /** As many as the API has. */
  private static final int MOST_COUNTERS = 1024;

  private NativeCounters(NativeContext context, long address) {
    super(context, address);
  }

  static NativeCounters create(NativeContext context) {
    try (Arena arena = Arena.ofConfined()) {
      long init = RawMemory.allocate(arena, VerbsAbi.size("ibv_counters_init_attr"));
      long counters = context.functions().createCounters.pointer(context.address(), init);
      return context.keep(new NativeCounters(context, counters));
    }
  }

  @Override
  public void attachPointFlow(CounterDescription description, int index, Flow flow) {
    String verb = "ibv_attach_counters_point_flow";
    long attached = addressOf(flow, verb);
    try (Arena arena = Arena.ofConfined()) {
      long attr = RawMemory.allocate(arena, VerbsAbi.size("ibv_counter_attach_attr"));
      RawMemory.putInt(attr, description.code());
      RawMemory.putInt(attr + INDEX, index);
      context().functions().attachCounters.status(address(), attr, attached);
    }
  }

  @Override
  public long[] read(int count) {
    if (count < 0 || count > MOST_COUNTERS) {
      throw new VerbsException(Errno.EINVAL, "ibv_read_counters", count + " counters");
    }
    try (Arena arena = Arena.ofConfined()) {
      long values = RawMemory.allocate(arena, Math.max(1, (long) count * Long.BYTES));
      context().functions().readCounters.status(address(), values, count, 0);
      long[] counters = new long[count];
      for (int i = 0; i < count; i++) {
        counters[i] = RawMemory.getLong(values + (long) i * Long.BYTES);
      }
      return counters;
    }
  }

  @Override
  void destroy(long address) {
    context().functions().destroyCounters.status(address);
  }
}

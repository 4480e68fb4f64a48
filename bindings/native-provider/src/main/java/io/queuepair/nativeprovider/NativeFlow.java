// SPDX-License-Identifier: Apache-2.0
package io.queuepair.nativeprovider;

import io.queuepair.verbs.Flow;
import io.queuepair.verbs.FlowAttr;
import io.queuepair.verbs.QueuePair;
import java.lang.foreign.Arena;
import java.util.Objects;

/** A rule that steers frames to a queue pair. */
final class NativeFlow extends NativeObject implements Flow {
  private final NativeQueuePair qp;
  private final FlowAttr attr;

  private NativeFlow(NativeQueuePair qp, long address, FlowAttr attr) {
    super(qp.context(), address);
    this.qp = qp;
    this.attr = attr;
  }

  static NativeFlow create(NativeQueuePair qp, FlowAttr attr) {
    Objects.requireNonNull(attr, "attr");
    NativeContext context = qp.context();
    try (Arena arena = Arena.ofConfined()) {
      long struct = FlowAttributes.write(arena, attr);
      long flow = context.functions().createFlow.pointer(qp.address(), struct);
      return context.keep(new NativeFlow(qp, flow, attr));
    }
  }

  @Override
  public QueuePair qp() {
    return qp;
  }

  @Override
  public FlowAttr attr() {
    return attr;
  }

  @Override
  void destroy(long address) {
    context().functions().destroyFlow.status(address);
  }
}

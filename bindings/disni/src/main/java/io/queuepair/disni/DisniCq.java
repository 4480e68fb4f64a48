// SPDX-License-Identifier: Apache-2.0
package io.queuepair.disni;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import io.queuepair.verbs.CompletionQueue;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** A completion queue. */
final class DisniCq extends IbvCQ {
  private static final AtomicInteger HANDLES = new AtomicInteger();

  private final CompletionQueue cq;

  DisniCq(IbvContext context, IbvCompChannel channel, CompletionQueue cq) throws IOException {
    super(context, channel, HANDLES.incrementAndGet());
    this.cq = cq;
    cqe = cq.cqe();
  }

  CompletionQueue cq() {
    return cq;
  }
}
